"""What every run is tagged with, so that runs can be found by law, build and cell in the UI and in alerts."""

from collections.abc import Sequence

from lawrag_assets.defs.partitions import cell_of
from lawrag_assets.tables import Partition, TableStore

LAW, BUILD, CELL = "lawrag/law", "lawrag/build", "lawrag/cell"
_SHOWN = 5


def run_tags(asset: str, partition: str | None, tables: TableStore, run_id: str) -> dict[str, str]:
    """The tags of a run that makes this asset's partition, as far as they can be told from the tables that are there by now.

    A law's run has the build that it parsed itself; all else is made of the corpus, and has its laws and builds.
    """
    if asset in {"law_xml", "law_sections", "law_changes"} and partition:
        parsed = tables.run_id("law_sections", (partition,)) == run_id
        return {LAW: partition} | ({BUILD: _builds(tables, "law_sections", (partition,))[0][1]} if parsed else {})
    tags = {CELL: str(cell_of(partition))} if partition and "|" in partition else {}
    if tables.exists("corpus"):
        builds = _builds(tables, "corpus", ())
        tags |= {LAW: _listed([law for law, _ in builds]), BUILD: _listed([f"{law} {build}" for law, build in builds])}
    return tags


def _builds(tables: TableStore, table: str, partition: Partition) -> list[tuple[str, str]]:
    """The laws in a table, with their builds."""
    return tables.read(table, [partition], columns=["slug", "build"]).unique(maintain_order=True).rows()


def _listed(values: Sequence[str]) -> str:
    """The values in one text that stays short enough for a tag."""
    more = len(values) - _SHOWN
    return ", ".join(values[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
