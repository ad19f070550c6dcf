"""What the roots of the graph would be if they were materialized now: how a change outside the graph is seen.

Nothing here asks a law source: a law's current file is handed in by whoever has fetched it.
"""

from collections.abc import Mapping

import dagster as dg

from lawrag_assets.chunking import BASE_UNITS, STRATEGIES
from lawrag_assets.defs.freshness import Freshness, Node
from lawrag_assets.defs.retrieval import calibration_version, reranker_version
from lawrag_assets.defs.specs import strategy_spec_version, unit_spec_version
from lawrag_assets.defs.versions import table_version
from lawrag_assets.embedding.factory import model_identity
from lawrag_assets.generation.factory import open_generator
from lawrag_assets.laws.law_file import LawFile
from lawrag_assets.question_sets import read_calibration_questions, read_question_sets, read_training_sets
from lawrag_assets.settings import Settings


def outside_versions(settings: Settings, laws: Mapping[str, LawFile]) -> dict[Node, str]:
    """The data version of each root; laws that are not given are taken as unchanged."""
    generator = open_generator(settings.llm)
    asked = read_question_sets(settings).table
    model = model_identity(settings.embedding_model, device=settings.device)
    return {
        **{("law_xml", slug): file.sha256 for slug, file in laws.items()},
        **{("unit_spec", base_unit): unit_spec_version(base_unit, generator) for base_unit in BASE_UNITS},
        **{("strategy_spec", strategy): strategy_spec_version(strategy, generator) for strategy in STRATEGIES},
        ("questions", None): table_version(asked).value,
        ("training_questions", None): table_version(read_training_sets(settings).table).value,
        ("embedding_model", None): model,
        ("calibration", None): calibration_version(read_calibration_questions(settings, asked), model),
        ("reranker", None): reranker_version(settings),
    }


def take_look(
    definitions: dg.Definitions, settings: Settings, laws: Mapping[str, LawFile], instance: dg.DagsterInstance
) -> Freshness:
    """What is up to date on the instance, with what lies outside the graph taken into account."""
    outside = outside_versions(settings, laws)
    return Freshness(definitions.resolve_asset_graph(), instance, settings.paths, outside, settings.laws)
