"""The benchmark report as Markdown: for Dagster's asset page, code review and issue trackers."""

from collections.abc import Sequence

from lawrag_assets.reporting.answer import answers
from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import Column, Layout, Section, Shown
from lawrag_assets.reporting.sections.contents import sections
from lawrag_assets.reporting.words import facts_lines


def to_markdown(report: BenchmarkReport) -> str:
    """Write the answer, facts, tables and what the columns mean."""
    parts = ["# Benchmark", ""]
    for answer in answers(report):
        parts += [plain(f"{answer.finding} {answer.cost}"), ""]
    parts += [*(f"- **{name}**: {plain(value)}" for name, value in facts_lines(report.facts)), ""]
    for section in sections(report):
        parts += section_lines(section)
    return "\n".join(parts)


def section_lines(section: Section) -> list[str]:
    """A section's lines."""
    parts = [f"## {section.title}", "", *([plain(section.text), ""] if section.text else [])]
    for layout in section.layouts:
        parts += [f"### {plain(layout.title)}", ""] if layout.title else []
        parts += [plain(layout.text), ""] if layout.text else []
        parts += [*_table(layout), ""] if layout.rows else []
    parts += [plain(section.details), ""] if section.details else []
    parts += [*(f"- [{name}]({address})" for name, address in section.sources), ""] if section.sources else []
    return [*parts, *_notes(section.notes), ""] if section.notes else parts


def _notes(columns: Sequence[Column]) -> list[str]:
    return [f"- **{plain(column.title)}**: {plain(column.note)}" for column in columns]


def _table(layout: Layout) -> list[str]:
    heads = [plain(column.title) for column in layout.columns]
    lines = [":--" if column.text else "--:" for column in layout.columns]
    rows = [[_cell(shown) for shown in row] for row in layout.rows]
    return ["| " + " | ".join(row) + " |" for row in (heads, lines, *rows)]


def _cell(shown: Shown) -> str:
    text = plain(shown.text)
    return f"**{text}**" if shown.best else text


def plain(text: str) -> str:
    """Keep names from being read as Markdown."""
    for mark in "\\|*<>`[]":
        text = text.replace(mark, "\\" + mark)
    return " ".join(text.split())
