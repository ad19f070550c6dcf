"""The service as a client sees it, over HTTP."""

import json
import re
from pathlib import Path

import httpx
import numpy as np
import pytest
from service.conftest import shelf_of
from service.running import running, streamed

from lawrag_assets.service.app import create_app
from lawrag_assets.service.edition import Edition, Shelf
from lawrag_assets.service.plane import fit_plane

COVERED = "Wie lange gilt die Leihkarte, und darf meine Schwester sie benutzen?"
FOREIGN = "Wie entkalke ich eine Espressomaschine?"


def ask(address: str, question: str, **more: object) -> httpx.Response:
    return httpx.post(f"{address}/api/query", json={"question": question, **more}, timeout=60)


def test_an_answer_has_citations_the_build_date_and_says_that_it_is_no_advice(address: str) -> None:
    answer = ask(address, COVERED).json()
    assert answer["refused"] is False
    assert answer["by"] == "extractive"
    assert all(claim["supported"] and claim["citation"].endswith("LeihLG") for claim in answer["claims"])
    assert answer["laws"][0]["build"] == httpx.get(f"{address}/api/meta").json()["laws"][0]["build"] != ""
    assert answer["disclaimer"] == "Keine Rechtsberatung."


def test_the_stream_tells_each_stage_with_its_time_and_ends_with_the_same_answer(address: str) -> None:
    events = streamed(address, question=COVERED)
    names = [name for name, _ in events if name != "write"]
    assert names == ["embed", "route", "retrieve", "rerank", "judge", "answer", "attribute", "done"]
    assert all(data["milliseconds"] >= 0 for name, data in events if name != "write")
    said = "".join(data["text"] for name, data in events if name == "write")
    reply = events[-1][1]["reply"]
    assert said == reply["answer"]
    alone = ask(address, COVERED).json()
    assert {**alone, "milliseconds": None} == {**reply, "milliseconds": None}
    assert reply["point"] == events[0][1]["point"]
    dense, reranked = (next(data for name, data in events if name == stage)["candidates"] for stage in ("retrieve", "rerank"))
    assert [c["rank"] for c in dense] == list(range(1, len(dense) + 1)) == [c["rerank_rank"] for c in reranked]
    assert {c["passage_id"] for c in dense} == {c["passage_id"] for c in reranked}


def test_a_question_on_another_matter_is_refused(address: str) -> None:
    answer = ask(address, FOREIGN).json()
    assert answer["refused"] is True
    assert answer["claims"] == []


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({}, "question"),
        ({"question": ""}, "question"),
        ({"question": "   "}, "empty"),
        ({"question": "geheim" * 400}, "2000"),
        ({"question": "Was gilt?", "laws": ["bgb"]}, "sample"),
        ({"question": "Was gilt?", "laws": ["sample"] * 51}, "laws"),
        ({"question": "Was gilt?", "model": "other"}, "model"),
    ],
)
def test_bad_input_is_said_in_a_sentence_that_does_not_repeat_it(address: str, body: dict[str, object], says: str) -> None:
    answer = httpx.post(f"{address}/api/query", json=body)
    assert answer.status_code == 422
    assert says in answer.json()["detail"]
    assert "geheim" not in answer.text


def test_a_huge_body_is_not_read(address: str) -> None:
    assert httpx.post(f"{address}/api/query", content=b"x" * 200_000).status_code == 413


@pytest.mark.parametrize("written", ["§ 5 LeihLG", "§5 leihlg", "§ 5 Abs. 1 Satz 1 LeihLG", "§ 5"])
def test_a_section_is_found_by_a_citation_as_people_write_it(address: str, written: str) -> None:
    section = httpx.get(f"{address}/api/section/{written}").json()
    assert section["citation"] == "§ 5 LeihLG"
    for subsection in section["subsections"]:
        for sentence in subsection["sentences"]:
            assert subsection["text"][sentence["start"] : sentence["end"]] == sentence["text"]


@pytest.mark.parametrize(("written", "status"), [("§ 999 LeihLG", 404), ("§ 5 BGB", 404), ("kein Zitat", 422)])
def test_no_section_is_said_to_be_none(address: str, written: str, status: int) -> None:
    answer = httpx.get(f"{address}/api/section/{written}")
    assert answer.status_code == status
    assert set(answer.json()) == {"detail"}


def test_the_pages_of_the_corpus_are_all_absaetze_each_once(address: str) -> None:
    total = httpx.get(f"{address}/api/corpus").json()["total"]
    found = []
    for offset in range(0, total, 7):
        page = httpx.get(f"{address}/api/corpus", params={"offset": offset, "limit": 7, "law": "sample"}).json()
        found += [dot["passage_id"] for dot in page["items"]]
        assert all(dot["nearest"] != dot["passage_id"] for dot in page["items"])
        assert 0 < sum(page["variance"]) < 1
    assert len(set(found)) == len(found) == total == httpx.get(f"{address}/api/meta").json()["passages"]
    assert httpx.get(f"{address}/api/corpus", params={"law": "bgb"}).json()["items"] == []


def test_a_question_is_put_on_the_plane_by_the_transform_of_the_passages(edition: Edition) -> None:
    vectors = edition.pipeline.parts.finder.vectors()
    places = np.array([edition.plane.place(vector) for vector in vectors])
    assert np.allclose(places, edition.plane.points, atol=1e-5)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_a_plane_of_hardly_any_passages_can_be_drawn(count: int) -> None:
    plane = fit_plane(np.eye(4, dtype=np.float32)[:count])
    assert plane.points.shape == (count, 2)
    assert np.isfinite(plane.place(np.ones(4, np.float32))).all()


def test_other_pages_may_ask_only_if_they_are_allowed_to(address: str, edition: Edition) -> None:
    origin = {"Origin": "https://law.example.org"}
    assert "access-control-allow-origin" not in httpx.get(f"{address}/api/meta", headers=origin).headers
    app = create_app(shelf_of(edition), limit=1, seconds=5, allowed_origins=["https://law.example.org"])
    with running(app) as where:
        allowed = httpx.get(f"{where}/api/meta", headers=origin).headers
        other = httpx.get(f"{where}/api/meta", headers={"Origin": "https://other.example.org"}).headers
    assert allowed["access-control-allow-origin"] == "https://law.example.org"
    assert "access-control-allow-origin" not in other


def test_no_answer_tells_of_the_machines_folders(address: str, built_once: Path) -> None:
    for path in ("health", "api/meta", "openapi.json", "api/section/kein Zitat"):
        assert str(built_once) not in httpx.get(f"{address}/{path}").text


def test_an_index_that_cannot_be_opened_leaves_the_old_one_in_its_place(edition: Edition) -> None:
    opened = [edition]

    def next_edition() -> Edition:
        if not opened:
            raise OSError("half written")
        return opened.pop()

    stamps = {"now": edition.stamp}
    shelf = Shelf(lambda: stamps["now"], next_edition)
    assert shelf.look() is False
    stamps["now"] = ""  # it is being made anew
    assert shelf.look() is False
    stamps["now"] = "another"
    assert shelf.look() is False
    assert shelf.edition is edition
    opened.append(Edition("another", edition.pipeline, edition.corpus, edition.about))
    assert shelf.look() is True
    assert shelf.edition.stamp == "another"


def test_the_description_has_every_event_and_error_and_refers_to_nothing_that_is_not_there(address: str) -> None:
    described = httpx.get(f"{address}/openapi.json").json()
    text = json.dumps(described)
    referred = set(re.findall(r"#/components/schemas/(\w+)", text))
    assert referred <= set(described["components"]["schemas"])
    assert {"Embedded", "Candidates", "Judged", "Done", "Problem"} <= referred
    assert set(described["paths"]["/api/query"]["post"]["responses"]) == {"200", "422", "502", "503", "504"}
    assert "ValidationError" not in referred
