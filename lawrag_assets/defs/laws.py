"""Assets from a law's XML to the corpus: `law_xml[law]`, `law_sections[law]`, `law_changes[law]`, `corpus`, `corpus_references`."""

import time

import dagster as dg
import polars as pl

from lawrag_assets.defs.partitions import LAWS
from lawrag_assets.defs.versions import Metadata, table_result, table_version
from lawrag_assets.laws.archive import former_build, keep, kept, parsed
from lawrag_assets.laws.changes import changes_table, changes_text, section_changes
from lawrag_assets.laws.edges import references_table
from lawrag_assets.laws.figures import law_figures
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.law_file import LawFile, build_date
from lawrag_assets.laws.source import LawSource
from lawrag_assets.laws.tables import sections_table
from lawrag_assets.laws.watch import Content, is_older, older_build
from lawrag_assets.storage import Storage
from lawrag_assets.tables import TableStore

GROUP = "laws"
OWNERS = ["team:lawrag"]


class BuildToTake(dg.Config):
    """Which build to take: one that is kept already, by its digest; or the one that the source serves now."""

    sha256: str = ""


@dg.asset(partitions_def=LAWS, group_name=GROUP, kinds={"xml"}, owners=OWNERS, code_version="2")
def law_xml(
    context: dg.AssetExecutionContext,
    config: BuildToTake,
    law_source: dg.ResourceParam[LawSource],
    paths: dg.ResourceParam[Storage],
    tables: dg.ResourceParam[TableStore],
) -> dg.MaterializeResult[pl.DataFrame]:
    """The law as its source serves it now, kept for ever by content. Version: the XML's sha256.

    An older build than the source has served before is kept, and not taken.
    """
    slug = context.partition_key
    file = kept(paths.laws, slug, config.sha256) if config.sha256 else law_source.fetch(slug)
    path = keep(paths.laws, file, law_source.location)
    metadata: Metadata = {}
    built = built_content(tables, slug, law_source.location)
    if built and is_older(file.build, built.build):
        context.log.warning(reason := older_build(file.build, built.build))
        metadata["not taken"] = reason
        file = kept(paths.laws, slug, built.sha256)
    return dg.MaterializeResult(
        value=pl.DataFrame({"slug": slug, "sha256": file.sha256, "build": file.build, "source": law_source.location}),
        data_version=dg.DataVersion(file.sha256),
        metadata={
            **metadata,
            "build": build_date(file.build),
            "bytes": len(file.xml),
            "file": dg.MetadataValue.path(str(path)),
        },
    )


def built_content(tables: TableStore, slug: str, location: str) -> Content | None:
    """The build of a law that this profile has taken last from the source at `location`."""
    if not tables.exists("law_xml", (slug,)):
        return None
    built = tables.read("law_xml", [(slug,)]).row(0, named=True)
    same_source = (
        built.get("source") == location
    )  # another source may well serve an older build: that is what the user has chosen
    return Content(built["sha256"], built["build"] if same_source else "")


def _file_of(law_xml: pl.DataFrame, paths: Storage) -> LawFile:
    return kept(paths.laws, *law_xml.select("slug", "sha256").row(0))


@dg.asset(partitions_def=LAWS, group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="1")
def law_sections(law_xml: pl.DataFrame, paths: dg.ResourceParam[Storage]) -> dg.MaterializeResult[pl.DataFrame]:
    """The law's sections with hierarchy, Absätze, sentences and status, one row a section in document order."""
    started = time.perf_counter()
    law = parsed(_file_of(law_xml, paths))
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


@dg.asset(partitions_def=LAWS, group_name=GROUP, kinds={"markdown"}, owners=OWNERS, code_version="1")
def law_changes(law_xml: pl.DataFrame, paths: dg.ResourceParam[Storage]) -> dg.MaterializeResult[pl.DataFrame]:
    """What the law's build changed against the one before it of those kept: sections added, removed, changed, with another heading."""
    file = _file_of(law_xml, paths)
    former = former_build(paths.laws, file)
    if former is None:
        return table_result(changes_table([]), {"build": build_date(file.build), "former build": "none is kept"})
    old = parse_law(kept(paths.laws, file.slug, former.sha256).xml, slug=file.slug, sentences=False, references=False)
    new = parsed(file)
    changes = section_changes(old, new)
    table = changes_table(changes)
    counts = {f"sections {kind}": count for kind, count in table["kind"].value_counts(sort=True, name="n").iter_rows()}
    metadata: Metadata = {
        "build": new.builddate,
        "former build": former.date,
        **counts,
        "changes": dg.MetadataValue.md(changes_text(old, new, changes)),
    }
    return table_result(table, metadata)


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
    laws = [parsed(kept(paths.laws, slug, sha256)) for slug, sha256 in law_xml.select("slug", "sha256").iter_rows()]
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
