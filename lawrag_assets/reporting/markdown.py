"""The benchmark report as Markdown: for Dagster's asset page, code review and issue trackers."""

from collections.abc import Sequence

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import Column, Layout, Shown, aggregation_layouts, benchmark_layouts
from lawrag_assets.reporting.words import facts_lines, question_set_line


def to_markdown(report: BenchmarkReport) -> str:
    """Write facts, tables and what the columns mean."""
    facts = {facts.name: facts for facts in report.facts.question_sets}
    parts = ["# Benchmark", *(f"- **{name}**: {_plain(value)}" for name, value in facts_lines(report.facts)), ""]
    layouts = benchmark_layouts(report.table)
    for layout in layouts:
        parts += [f"## {_plain(layout.title)}", ""]
        if layout.title in facts:
            parts += [question_set_line(facts[layout.title]), ""]
        parts += [*_table(layout), ""]
    aggregations = aggregation_layouts(report)
    for layout in aggregations:
        parts += [f"## Aggregations compared: R@10 on {_plain(layout.title)}", "", *_table(layout), ""]
    if aggregations:
        parts += [*_notes(aggregations[0].columns[1:]), ""]
    if layouts:
        parts += ["## What the columns mean", "", *_notes(layouts[0].columns), ""]
    return "\n".join(parts)


def _notes(columns: Sequence[Column]) -> list[str]:
    return [f"- **{column.title}**: {column.note}" for column in columns]


def _table(layout: Layout) -> list[str]:
    heads = [column.title for column in layout.columns]
    lines = [":--" if column.text else "--:" for column in layout.columns]
    rows = [[_cell(shown) for shown in row] for row in layout.rows]
    return ["| " + " | ".join(row) + " |" for row in (heads, lines, *rows)]


def _cell(shown: Shown) -> str:
    text = _plain(shown.text)
    return f"**{text}**" if shown.best else text


def _plain(text: str) -> str:
    """Keep names from being read as Markdown."""
    for mark in "\\|*<>`[]":
        text = text.replace(mark, "\\" + mark)
    return " ".join(text.split())
