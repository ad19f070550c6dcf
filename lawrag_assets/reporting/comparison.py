"""A page about several embedding models on the same grid: what does a bigger model buy over a better pipeline?

What is compared, and the tests of the differences, come from outside (`comparing`); the words and tables are made here.
"""

from dataclasses import dataclass

import polars as pl

from lawrag_assets.files import Place, atomic_write_bytes
from lawrag_assets.reporting.layout import (
    CELL,
    Column,
    Layout,
    Section,
    by_question_set,
    interval,
    lay_out,
    number,
    seconds,
    words,
)
from lawrag_assets.reporting.markdown import section_lines
from lawrag_assets.reporting.page import template
from lawrag_assets.reporting.words import MINUS

MODELS_SCHEMA = pl.Schema(
    {
        "profile": pl.String,
        "model": pl.String,  # identity
        "embed_seconds": pl.Float64,  # of the reference cell, as if nothing had been cached
        "index_mb": pl.Float64,  # of the reference cell
        "search_ms": pl.Float64,  # median of a search in it, without embedding the question
    }
)
GRID_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "cell": pl.String,
        "retriever": pl.String,
        "profile": pl.String,
        "mean": pl.Float64,  # R@10
        "low": pl.Float64,
        "high": pl.Float64,
    }
)
STEPS_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "profile": pl.String,
        "cell": pl.String,
        "retriever": pl.String,
        "mean": pl.Float64,  # R@10
        "difference": pl.Float64,  # from the first row, which is the first profile's plain retrieval; its own is null
        "low": pl.Float64,  # ends of the difference's 95 % interval
        "high": pl.Float64,
        "p_holm": pl.Float64,
        "significant": pl.Boolean,
    }
)


@dataclass(frozen=True)
class ModelComparison:
    """What the page says."""

    models: pl.DataFrame
    """`MODELS_SCHEMA`, in the order the profiles were named."""
    grid: pl.DataFrame
    """`GRID_SCHEMA`: what all profiles have."""
    steps: pl.DataFrame
    """`STEPS_SCHEMA`: for each profile the plain retrieval (`plain`, by `dense`) and the best there is."""
    plain: str
    """The cell of the plain retrieval."""


@dataclass(frozen=True)
class ComparisonPaths:
    """Where a comparison lies."""

    html: Place
    markdown: Place
    csv: Place


_PROFILE = Column("profile", "", "profile", words("profile"), text=True)
_RETRIEVER = Column("retriever", "", "retriever", words("retriever"), text=True)


def comparison_sections(comparison: ModelComparison) -> list[Section]:
    """The page's parts: what buys what, the models, the grid."""
    steps = [lay_out(f"R@10 on {name}", _STEPS, table) for name, table in by_question_set(comparison.steps)]
    what = (
        f"For each profile its plain retrieval ({comparison.plain}, dense) and the best cell and retriever that needs no labels. "
        "Differences are from the first row, over the same questions; chosen as the best of many, a best pipeline's own figure is a little "
        "flattered."
    )
    return [
        Section("steps", "What buys what", what, tuple(steps)),
        Section("models", "Models", "", (lay_out("", _MODELS, comparison.models),)),
        Section(
            "grid", "The grid", "Everything that all profiles have. The best of each column is marked.", tuple(_grid(comparison))
        ),
    ]


_STEPS = [
    _PROFILE,
    CELL,
    _RETRIEVER,
    Column("R@10", "Mean over the answerable questions.", "mean", number("mean", ".3f"), "max"),
    Column("difference", "From the first row.", "difference", number("difference", "+.3f")),
    Column("95 %", "Interval of the difference.", "low", interval("low", "high", "+.3f")),
    Column("p", "Sign-flip test, corrected after Holm.", "p_holm", number("p_holm", ".4f")),
]
_MODELS = [
    _PROFILE,
    Column("model", "", "model", words("model"), text=True),
    Column(
        "embedding", "Of the plain cell's texts, as if nothing had been cached.", "embed_seconds", seconds("embed_seconds"), "min"
    ),
    Column("index MB", "Of the plain cell, without text.", "index_mb", number("index_mb", ".1f"), "min"),
    Column("search ms", "Median, without embedding the question.", "search_ms", number("search_ms", ".2f"), "min"),
]


def _grid(comparison: ModelComparison) -> list[Layout]:
    names = comparison.models["profile"].to_list()
    layouts = []
    for question_set, table in by_question_set(comparison.grid):
        wide = table.pivot("profile", index=["cell", "retriever"], values="mean")
        columns = [CELL, _RETRIEVER, *(Column(name, "", name, number(name, ".3f"), "max") for name in names)]
        layouts.append(lay_out(f"R@10 on {question_set}", columns, wide))
    return layouts


def comparison_answers(comparison: ModelComparison) -> list[str]:
    """The question's answer in a sentence a question set: the best gain by another model against the best by another pipeline."""
    answers = []
    first = comparison.models["profile"][0]
    for question_set, steps in by_question_set(comparison.steps):
        plain = (pl.col("cell") == comparison.plain) & (pl.col("retriever") == "dense")
        models = steps.filter(plain, pl.col("profile") != first).sort("difference", descending=True)
        pipeline = steps.filter(~plain, pl.col("profile") == first)
        best = steps.sort("mean", descending=True, maintain_order=True).row(0, named=True)
        said = []
        if models.height:
            said.append(
                f"another model ({models['profile'][0]}) changes plain retrieval’s R@10 by {_signed(models['difference'][0])}"
            )
        if pipeline.height:
            row = pipeline.row(0, named=True)
            said.append(f"a better pipeline ({row['cell']}, {row['retriever']}) with {first} by {_signed(row['difference'])}")
        found = f"the best of all is {best['profile']}, {best['cell']}, {best['retriever']}: {best['mean']:.3f}"
        answers.append(f"On {question_set}, {'; '.join([' and '.join(said), found] if said else [found])}.")
    return answers


def _signed(difference: float) -> str:
    return f"{difference:+.3f}".replace("-", MINUS)


def write_comparison(comparison: ModelComparison, folder: Place, name: str = "comparison") -> ComparisonPaths:
    """Write `name`.html and .md, `name`.csv (the grid) and `name`-steps.csv and -models.csv; figures in CSV are unrounded."""
    paths = ComparisonPaths(*(folder / f"{name}.{kind}" for kind in ("html", "md", "csv")))
    answers, parts = comparison_answers(comparison), comparison_sections(comparison)
    atomic_write_bytes(paths.csv, comparison.grid.write_csv().encode())
    for label, table in (("steps", comparison.steps), ("models", comparison.models)):
        atomic_write_bytes(folder / f"{name}-{label}.csv", table.write_csv().encode())
    lines = ["# Comparison of embedding models", "", *(line for answer in answers for line in (answer, ""))]
    atomic_write_bytes(paths.markdown, "\n".join([*lines, *(line for part in parts for line in section_lines(part))]).encode())
    page = template("comparison.html").render(answers=answers, sections=parts)
    atomic_write_bytes(paths.html, page.encode())
    return paths
