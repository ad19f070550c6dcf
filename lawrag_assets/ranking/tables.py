"""Out-of-fold features as a table, a row a pair, so that what a ranker was fitted on can be looked at, and is not made twice."""

import numpy as np
import polars as pl

from lawrag_assets.ranking.features import Features
from lawrag_assets.ranking.ranker import TrainingFeatures, query_names
from lawrag_assets.ranking.split import Split

_OTHER = ("query", "fold", "place", "section_number", "relevant")


def features_table(split: Split, made: TrainingFeatures) -> pl.DataFrame:
    """Columns: query ("set/id"), fold, place (of the question among the described), section_number, relevant, and one a feature."""
    described = made.features
    order = np.concatenate([np.flatnonzero(split.folds == number) for number in np.unique(split.folds)])
    names = pl.Series(query_names(split.training_questions), dtype=pl.String).gather(order)
    fixed = {
        "query": names.gather(described.questions),
        "fold": split.folds[order][described.questions],
        "place": described.questions,
        "section_number": described.sections,
        "relevant": made.relevant,
    }
    return pl.DataFrame(fixed | {name: described.values[:, column] for column, name in enumerate(described.names)})


def read_features_table(split: Split, table: pl.DataFrame) -> TrainingFeatures:
    """The features of a table that was made on the same split; ValueError where it was made on another."""
    order = np.concatenate([np.flatnonzero(split.folds == number) for number in np.unique(split.folds)])
    names = pl.Series(query_names(split.training_questions), dtype=pl.String).gather(order)
    if not names.gather(table["place"]).equals(table["query"]):
        raise ValueError("these features were made on another split")
    features = tuple(name for name in table.columns if name not in _OTHER)
    described = Features(
        table["place"].to_numpy(),
        table["section_number"].to_numpy(),
        table.select(features).to_numpy().astype(np.float32),
        features,
    )
    return TrainingFeatures(described, table["relevant"].to_numpy())
