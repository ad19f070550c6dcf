"""How well claims are attributed: labelled claims, each held against what an answer on its matter would be written from.

A claim file is JSON Lines: `id`, `claim`, `lang`, `kind`, and for `supported` ones `gold`, the citation of the Absatz that bears the claim
out. The other kinds are claims that nothing bears out: `wrong_number` (a rule with another number), `contradicted` (the contrary of a
rule) and `not_covered` (a matter that the law does not touch).
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from lawrag_assets.errors import InputError
from lawrag_assets.laws.citations import comparable
from lawrag_assets.qa.model import Language, Passage
from lawrag_assets.qa.pipeline import EVIDENCE, Pipeline

SUPPORTED = "supported"
KINDS = (SUPPORTED, "wrong_number", "contradicted", "not_covered")
CLAIMS_SCHEMA = pl.Schema({"id": pl.String, "claim": pl.String, "lang": pl.String, "kind": pl.String, "gold": pl.String})

ATTRIBUTED_SCHEMA = pl.Schema(
    [
        *CLAIMS_SCHEMA.items(),
        ("citation", pl.String()),  # the Absatz it was attributed to; null without any evidence
        ("score", pl.Float64()),
        ("supported", pl.Boolean()),  # whether it counts as borne out
        ("right", pl.Boolean()),  # whether the Absatz is the gold one; null where there is no gold
    ]
)


def read_claims(path: Path) -> pl.DataFrame:
    """A claim file as a table of `CLAIMS_SCHEMA`. Raises InputError for a line that is no claim."""
    rows = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            rows.append((row["id"], row["claim"], row["lang"], row["kind"], row.get("gold")))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}:{number}: no claim ({error!r})") from None
        if row["kind"] not in KINDS or (row["kind"] == SUPPORTED) != ("gold" in row):
            raise InputError(f"{path}:{number}: a claim is one of {', '.join(KINDS)}; a supported one, and no other, has gold")
    return pl.DataFrame(rows, schema=CLAIMS_SCHEMA, orient="row")


def attributed(pipeline: Pipeline, claims: pl.DataFrame, slug: str) -> pl.DataFrame:
    """Hold each claim against the five best Absätze of a law for it: `ATTRIBUTED_SCHEMA`.

    The gold Absatz takes the last place where it is not among them: whether it is found is measured elsewhere.
    """
    passages = {comparable(p.citation): p for p in pipeline.parts.finder.passages.all if p.slug == slug}
    rows = []
    for identifier, claim, lang, kind, gold in claims.iter_rows():
        evidence: list[Passage] = [c.passage for c in pipeline.look(claim, laws=[slug]).candidates[:EVIDENCE]]
        wanted = passages.get(comparable(gold)) if gold else None
        if gold and wanted is None:
            raise InputError(f"claim {identifier}: {gold} is no Absatz in force of {slug}")
        if wanted and wanted not in evidence:
            evidence = [*evidence[: EVIDENCE - 1], wanted]
        language: Language = "en" if lang == "en" else "de"
        found = pipeline.parts.attributor.attribute(claim, evidence, language)
        right = found.passage_id == wanted.passage_id if wanted else None
        rows.append((identifier, claim, lang, kind, gold, found.citation, found.score, found.supported, right))
    return pl.DataFrame(rows, schema=ATTRIBUTED_SCHEMA, orient="row")


def claim_figures(table: pl.DataFrame) -> pl.DataFrame:
    """Figures by language ("all" first): lang, measure, value, claims.

    `right Absatz`: of the supported claims, those attributed to the gold one; `shown as supported` by kind: the share that counts as
    borne out, which is to be high for supported claims and low for the others; `AUROC` of the score, supported against all others.
    """
    from sklearn.metrics import roc_auc_score

    rows: list[tuple[str, str, float | None, int]] = []
    for lang in ("all", *table["lang"].unique().sort()):
        part = table if lang == "all" else table.filter(pl.col("lang") == lang)
        borne_out = part.filter(pl.col("kind") == SUPPORTED)
        rows.append((lang, "right Absatz", _share(borne_out["right"].to_list()), borne_out.height))
        for kind in KINDS:
            of_kind = part.filter(pl.col("kind") == kind)
            rows.append((lang, f"shown as supported: {kind}", _share(of_kind["supported"].to_list()), of_kind.height))
        truth = (part["kind"] == SUPPORTED).to_numpy()
        mixed = 0 < truth.sum() < len(truth)
        rows.append((lang, "AUROC", float(roc_auc_score(truth, part["score"].to_numpy())) if mixed else None, part.height))
    return pl.DataFrame(
        rows, schema={"lang": pl.String, "measure": pl.String, "value": pl.Float64, "claims": pl.Int64}, orient="row"
    )


def _share(values: Sequence[bool]) -> float | None:
    return float(np.mean(values)) if values else None
