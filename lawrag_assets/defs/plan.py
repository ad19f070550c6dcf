"""What cells are made from, as steps in their order: what `lawrag run` and the automation both follow. Doing them is theirs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from lawrag_assets.chunking import BASE_UNITS
from lawrag_assets.chunking.cells import Cell
from lawrag_assets.defs.freshness import Freshness, Node
from lawrag_assets.defs.partitions import cell_key

INDEX_ASSETS = ("enrichment", "chunks", "chunk_index", "lexical_index")
EVALUATION_ASSETS = ("retrieval_run", "question_measures", "cell_metrics", "failures")
CELL_ASSETS = (*INDEX_ASSETS, *EVALUATION_ASSETS)
"""A cell's own, upstream first; the latter need questions."""

LEARNING = ("training_questions", "training_embeddings", "training_run", "ranker_features", "ranker")
MEASURED_LEARNING = ("supervised_run", "supervised_seen", "supervised_measures", "supervised_metrics")
"""What labelled questions are learned from, and how the learned ranker does on questions that it has not seen."""

LATENCY, REPORT = ("search_latency",), ("benchmark_report",)
GATHERED = (LATENCY, REPORT)
"""Made of whatever cells are up to date, so a failed one does not stop them."""


class Step(NamedTuple):
    """Assets of one partition that are materialized in one run, upstream first."""

    assets: tuple[str, ...]
    partition: str | None

    def __str__(self) -> str:
        return f"{', '.join(self.assets)}{f' [{self.partition}]' if self.partition else ''}"

    @property
    def nodes(self) -> list[Node]:
        """The step's asset partitions."""
        return [(asset, self.partition) for asset in self.assets]

    def above(self, freshness: Freshness) -> set[Node]:
        """What the step is made from and does not make itself."""
        return {node for own in self.nodes for node in freshness.above(*own)} - set(self.nodes)


def steps(laws: Sequence[str], cells: Sequence[Cell], *, evaluate: bool, train: bool = False) -> Iterator[Step]:
    """All that the cells need, from the laws to the report, upstream first: all indexes before any evaluation."""
    for law in laws:
        yield Step(("law_xml", "law_sections", "law_changes"), law)
    yield Step(("corpus", "corpus_references"), None)
    yield Step(("embedding_model",), None)
    yield Step(("questions", "question_embeddings") if evaluate else ("questions",), None)
    yield Step(("calibration",), None)
    yield Step(("reranker",), None)
    for strategy in dict.fromkeys(cell.strategy for cell in cells):
        yield Step(("strategy_spec",), strategy)
    for base_unit in dict.fromkeys(cell.base_unit for cell in cells):
        if BASE_UNITS[base_unit].source == "propositions":
            yield Step(("unit_spec",), base_unit)
            yield Step(("propositions",), base_unit)
        yield Step(("unit_spec", "units", "unit_embeddings"), base_unit)
    for cell in cells:
        yield Step(INDEX_ASSETS, cell_key(cell))
    for cell in cells if evaluate else ():
        yield Step(EVALUATION_ASSETS, cell_key(cell))
    if train:
        yield Step(LEARNING, None)
        if evaluate:
            yield Step(MEASURED_LEARNING, None)
    if evaluate:
        yield Step(LATENCY, None)
    yield Step(REPORT, None)


def ready(
    planned: Iterable[Step], freshness: Freshness, *, failed: Callable[[Node], bool], under_way: Callable[[Node], bool]
) -> list[Step]:
    """The steps, each from its first stale asset on, that can be done now: all that they are made from is up to date.

    What is `under_way` is waited for; what `failed` is left alone, and all that rests on it. What is gathered from all cells waits until
    nothing else is left to do.
    """
    found: list[Step] = []
    left_alone = _Resting(freshness)
    waiting = False
    for step in planned:
        first = next((number for number, node in enumerate(step.nodes) if freshness.why_stale(*node)), None)
        if first is None:
            continue
        stale = Step(step.assets[first:], step.partition)
        above = set() if stale.assets in GATHERED else stale.above(freshness)
        if any(failed(node) for node in stale.nodes) or any(left_alone.bears(node) for node in above):
            left_alone.nodes.update(stale.nodes)
        elif stale.assets in GATHERED and (found or waiting):
            break
        elif any(freshness.is_stale(*node) for node in above) or any(under_way(node) for node in stale.nodes):
            waiting = True
        else:
            found.append(stale)
    return found


class _Resting:
    """Nodes that are left alone, and the question whether another one rests on them."""

    def __init__(self, freshness: Freshness) -> None:
        self.nodes: set[Node] = set()
        self._freshness = freshness

    def bears(self, node: Node) -> bool:
        return bool(self.nodes) and (node in self.nodes or any(self.bears(above) for above in self._freshness.above(*node)))
