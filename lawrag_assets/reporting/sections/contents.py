"""The order of the report's sections. What they say belongs to their own modules."""

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import Section
from lawrag_assets.reporting.sections.aggregations import aggregations_section
from lawrag_assets.reporting.sections.build import build_section
from lawrag_assets.reporting.sections.causes import causes_section
from lawrag_assets.reporting.sections.cells import cells_section
from lawrag_assets.reporting.sections.chunkings import chunking_section
from lawrag_assets.reporting.sections.labelled import labelled_section
from lawrag_assets.reporting.sections.multi_hop import multi_hop_section
from lawrag_assets.reporting.sections.paper import paper_section
from lawrag_assets.reporting.sections.retrievers import retrievers_section
from lawrag_assets.reporting.sections.significance import significance_section
from lawrag_assets.reporting.sections.sources import sources_section
from lawrag_assets.reporting.sections.subsets import subsets_section


def sections(report: BenchmarkReport) -> list[Section]:
    """All sections that there is something to say in; the first is the main table."""
    made = [
        cells_section(report),
        build_section(report),
        significance_section(report),
        retrievers_section(report),
        multi_hop_section(report),
        labelled_section(report.labelled),
        subsets_section(report),
        aggregations_section(report),
        paper_section(report),
        chunking_section(report),
        causes_section(report),
        sources_section(report),
    ]
    return [section for section in made if section is not None]
