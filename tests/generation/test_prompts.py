"""The prompts: every task has one, its worked example satisfies the rules, and a request's words cannot break it."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from generation.requests_made import EVERY, boundary, context
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.generation import prompts, wire
from lawrag_assets.generation.prompts import prompt
from lawrag_assets.generation.protocol import (
    BoundaryRequest,
    ContextRequest,
    PropositionsRequest,
    Request,
    ShownUnit,
    SummaryRequest,
    Task,
)
from lawrag_assets.generation.validation import flaw

RELEASED = {
    "boundary.v1.md": "2db60b4f",
    "context.v1.md": "8efb5507",
    "propositions.v1.md": "5dc0cc18",
    "summary.v1.md": "d4412807",
}
"""Digests of the released prompts: to better one, add its next version, for answers are kept by it."""


def test_released_prompts_are_never_edited() -> None:
    files = Path(prompts.__file__).parent.glob("*.md")
    assert {file.name: hashlib.sha256(file.read_bytes()).hexdigest()[:8] for file in files} == RELEASED


def _example(task: Task) -> tuple[str, str]:
    """What the worked example asks, on one line a field, and what it answers."""
    instruction = prompt(task).instruction
    asked, _, answer = instruction.partition("Beispiel (frei erfundenes Gesetz):\n\n")[2].partition("\n\n{")
    return re.sub(r"\n(?!\[|\w+(?: \w+)*: )", " ", asked), "{" + answer


def _example_request(task: Task) -> Request[Any]:
    asked, _ = _example(task)
    fields = dict(line.split(": ", 1) for line in asked.splitlines() if ": " in line)
    if task is Task.CONTEXT:
        hierarchy = tuple(fields["Gliederung"].split(" › "))
        citation = fields["Fundstelle der Einheit"]
        return ContextRequest(citation, hierarchy, fields["Überschrift"], fields["Paragraf"], fields["Einheit"])
    if task is Task.PROPOSITIONS:
        return PropositionsRequest(fields["Einheit"])
    if task is Task.BOUNDARY:
        return BoundaryRequest(tuple(ShownUnit(*unit) for unit in re.findall(r"^\[\d\] (.*?): (.*)$", asked, re.MULTILINE)))
    return SummaryRequest(tuple(re.findall(r"^\[\d\] (.*)$", asked, re.MULTILINE)))


@pytest.mark.parametrize("task", Task)
def test_the_worked_example_is_asked_and_answered_by_the_rules(task: Task) -> None:
    request = _example_request(task)
    value = wire.read(request, _example(task)[1])
    assert flaw(request, value) is None
    json.loads(_example(task)[1])
    shown = prompt(task).messages(request)[1]["content"]
    assert all(line in shown for line in _example(task)[0].splitlines())


@pytest.mark.parametrize("request_", EVERY)
def test_a_request_is_asked_whole(request_: Request[Any]) -> None:
    system, user = prompt(request_.task).messages(request_)
    assert (system["role"], user["role"]) == ("system", "user")
    assert "$" not in user["content"]
    assert "JSON" in system["content"]


def test_a_boundary_request_numbers_its_units_and_says_the_range() -> None:
    asked = prompt(Task.BOUNDARY).messages(boundary(3))[1]["content"]
    assert asked.splitlines()[1] == "[2] § 2 NGG: Das Beet 2 ist zu pflegen."
    assert "zwischen 2 und 4" in asked


@given(st.text())
def test_no_text_breaks_a_prompt(text: str) -> None:
    assert text in prompt(Task.CONTEXT).messages(context(unit=text))[1]["content"]
    assert f"${{unit}} $unit {text}" in prompt(Task.CONTEXT).messages(context(unit=f"${{unit}} $unit {text}"))[1]["content"]


@pytest.mark.parametrize("task", Task)
def test_a_version_names_number_and_content(task: Task) -> None:
    assert re.fullmatch(r"v\d+-[0-9a-f]{8}", prompt(task).version)
