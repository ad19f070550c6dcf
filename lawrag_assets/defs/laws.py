"""Assets from a law's XML to the corpus: `law_xml[law]`, `law_sections[law]`, `corpus`, `corpus_references`."""

import time

import dagster as dg
import polars as pl

from lawrag_assets.defs.partitions import LAWS
from lawrag_assets.defs.versions import Metadata, table_result, table_version
from lawrag_assets.laws.archive import keep, kept
from lawrag_assets.laws.edges import references_table
from lawrag_assets.laws.figures import law_figures
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.source import LawSource
from lawrag_assets.laws.tables import sections_table
from lawrag_assets.storage import Storage

GROUP = "laws"
OWNERS = ["team:lawrag"]


@dg.asset(partitions_def=LAWS, group_name=GROUP, kinds={"xml"}, owners=OWNERS)
def law_xml(
    context: dg.AssetExecutionContext, law_source: dg.ResourceParam[LawSource], paths: dg.ResourceParam[Storage]
) -> dg.MaterializeResult[pl.DataFrame]:
    """The law as its source serves it now, kept for ever by content. Version: the XML's sha256."""
    file = law_source.fetch(context.partition_key)
    path = keep(paths.laws, file)
    return dg.MaterializeResult(
        value=pl.DataFrame({"slug": [file.slug], "sha256": [file.sha256]}),
        data_version=dg.DataVersion(file.sha256),
        metadata={"bytes": len(file.xml), "file": dg.MetadataValue.path(str(path))},
    )


@dg.asset(partitions_def=LAWS, group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="1")
def law_sections(law_xml: pl.DataFrame, paths: dg.ResourceParam[Storage]) -> dg.MaterializeResult[pl.DataFrame]:
    """The law's sections with hierarchy, Absätze, sentences and status, one row a section in document order."""
    slug, sha256 = law_xml.row(0)
    started = time.perf_counter()
    law = parse_law(kept(paths.laws, slug, sha256), slug=slug)
    sections = sections_table([law])
    seconds = time.perf_counter() - started
    figures = law_figures(law)
    metadata: Metadata = {
        "law": law.title,
        "build": law.builddate,
        "seconds": seconds,
        "sections": figures.sections,
        **{f"sections {status}": count for status, count in sorted(figures.by_status.items())},
        "subsections in force": figures.subsections,
        "sentences": figures.sentences,
        "depth of the hierarchy": figures.depth,
        "references": figures.references,
        "references unresolved": figures.unresolved,
        "warnings": dg.MetadataValue.json(list(figures.warnings)),
        "first sections": dg.MetadataValue.md(_markdown(sections.head(5))),
    }
    return table_result(sections, metadata)


@dg.asset(group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="1")
def corpus(law_sections: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
    """The sections of all laws of this profile: what is retrieved, and what gold citations are compared with."""
    inputs = {
        str(slug): table_version(sections).value for (slug,), sections in law_sections.group_by("slug", maintain_order=True)
    }
    laws = law_sections.group_by("slug", maintain_order=True).agg(pl.first("law"), pl.first("build"), sections=pl.len())
    metadata: Metadata = {
        "laws": laws.height,
        "inputs": dg.MetadataValue.json(inputs),
        "sections": law_sections.height,
        "sections in force": law_sections.filter(pl.col("status") == "in_force").height,
        "contents": dg.MetadataValue.md(_markdown(laws)),
    }
    return table_result(law_sections, metadata)


@dg.asset(group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="1", deps=["corpus"])
def corpus_references(law_xml: pl.DataFrame, paths: dg.ResourceParam[Storage]) -> dg.MaterializeResult[pl.DataFrame]:
    """The edge list of the corpus: which Absatz refers to which section, inside its law, in another one, or to none that exists."""
    laws = [parse_law(kept(paths.laws, slug, sha256), slug=slug, sentences=False) for slug, sha256 in law_xml.iter_rows()]
    edges = references_table(laws)
    by_kind = edges.group_by("kind").len().sort("kind")
    metadata: Metadata = {
        "edges": edges.height,
        **{f"edges {kind}": count for kind, count in by_kind.iter_rows()},
        "examples": dg.MetadataValue.json(edges.head(5).to_dicts()),
    }
    return table_result(edges, metadata)


def _markdown(frame: pl.DataFrame) -> str:
    """The frame's short text columns as a Markdown table."""
    shown = frame.select(pl.selectors.by_dtype(pl.String, pl.UInt32).exclude("section_id", "status_evidence")).with_columns(
        pl.selectors.string().str.slice(0, 120)
    )
    with pl.Config(
        tbl_formatting="MARKDOWN", tbl_hide_column_data_types=True, tbl_hide_dataframe_shape=True, fmt_str_lengths=120
    ):
        return str(shown)
