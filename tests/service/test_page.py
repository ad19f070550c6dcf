"""The page in a real browser: asking, citations, laws, refusals; by keyboard, on a phone, and with hostile text."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from browser import console_errors, needs_browser, open_page
from playwright.sync_api import Page, expect
from qa.answer_service import answer_service
from service.conftest import shelf_of
from service.running import running

from lawrag_assets.cli import run_command_line
from lawrag_assets.embedding.factory import open_embedder
from lawrag_assets.generation.chat_stream import ChatStream
from lawrag_assets.qa.model_writer import ModelWriter
from lawrag_assets.qa.pipeline import Pipeline
from lawrag_assets.service.app import create_app
from lawrag_assets.service.edition import Edition
from lawrag_assets.serving import open_edition
from lawrag_assets.settings import load_settings

pytestmark = [pytest.mark.slow, needs_browser]

COVERED = "Wie lange gilt die Leihkarte, und darf meine Schwester sie benutzen?"
FOREIGN = "Wie entkalke ich eine Espressomaschine?"
HOSTILE = '<img src="x" onerror="window.hacked = 1"><script>window.hacked = 1</script> <b>fett</b> gilt ein Jahr.'


@pytest.fixture(scope="module")
def two_laws(tmp_path_factory: pytest.TempPathFactory, models_dir: Path, shared: Path) -> Edition:
    storage = tmp_path_factory.mktemp("two-laws")
    (storage / "models").symlink_to(models_dir)
    laws = ["--law", "sample", "--law", "milog", "--law-source", str(shared / "gii")]
    assert run_command_line(["--storage", str(storage), "run", *laws, "--cells", "subsection/flat"]) == 0
    settings = load_settings(storage=storage)
    model = open_embedder(settings.embedding_model, models_dir=settings.paths.models, device=settings.device)
    return open_edition(settings, "subsection/flat", model)


@pytest.fixture(scope="module")
def page_at(two_laws: Edition) -> Iterator[str]:
    with running(create_app(shelf_of(two_laws), limit=8, seconds=60)) as where:
        yield where


@contextmanager
def opened(address: str, width: int = 1280, color_scheme: str = "light") -> Iterator[Page]:
    """The page in German, in a browser of its own; whatever happens, without an error on its console."""
    with open_page(width=width, color_scheme=color_scheme) as page:
        errors = console_errors(page)
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        page.get_by_role("button", name="Deutsch").click()
        page.locator("#plane circle").first.wait_for()
        yield page
        assert errors == []
        assert [url for url in asked if not url.startswith(address)] == []


def ask(page: Page, question: str) -> None:
    page.get_by_label("Ihre Frage").fill(question)
    page.get_by_role("button", name="Fragen", exact=True).click()
    expect(page.locator(".stages .done.finished")).to_be_visible(timeout=30_000)


def test_a_question_is_answered_stage_by_stage_and_a_citation_opens_its_section_with_the_sentence_marked(page_at: str) -> None:
    with opened(page_at) as page:
        expect(page.get_by_text("Keine Rechtsberatung", exact=True)).to_be_visible()
        ask(page, COVERED)
        assert page.locator(".stages .finished").count() == 8
        assert all(time.endswith((" ms", " s")) for time in page.locator(".stages b").all_inner_texts())
        claim = page.locator("#claims li").first
        citation = claim.locator(".citation").inner_text()
        claim.locator(".citation").click()
        section = page.locator("#section")
        expect(section).to_be_visible()
        marked = section.locator("mark").first.inner_text()
        assert marked in claim.inner_text().replace("…", "") or marked[:60] in claim.inner_text()
        assert citation.split(" Satz")[0].split(" Abs.")[0] in section.inner_text()
        assert section.locator(".cell").count() == section.locator(".law-text p").count()
        assert page.locator("#ladder .link").count() == page.locator("#ladder text.rung").count() / 2 > 5
        expect(page.locator("#plane .asked")).to_be_visible()
        expect(page.locator("#builds")).to_contain_text("LeihLG 20")


def test_only_the_laws_chosen_are_searched(page_at: str) -> None:
    with opened(page_at) as page:
        page.get_by_label("MiLoG").check()
        ask(page, "Wann muss der Mindestlohn gezahlt werden?")
        rungs = page.locator("#ladder text.rung").all_text_contents()
        assert rungs
        assert all("MiLoG" in rung for rung in rungs)
        expect(page.locator("#routes")).to_have_text("Gesucht in: MiLoG")


def test_a_refusal_is_shown_with_what_comes_nearest(page_at: str) -> None:
    with opened(page_at) as page:
        ask(page, FOREIGN)
        expect(page.locator("#answer.refused")).to_contain_text("beantworten diese Frage nicht")
        expect(page.locator("#answer .citation")).to_have_count(3)
        expect(page.locator("#support")).to_be_hidden()


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_on_a_phone_nothing_runs_over_the_edge(page_at: str, color_scheme: str) -> None:
    with opened(page_at, width=360, color_scheme=color_scheme) as page:
        ask(page, COVERED)
        page.locator("#claims .citation").first.click()
        expect(page.locator("#section mark").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        for card in page.locator(".card:visible").all():
            box = card.bounding_box()
            assert box
            assert box["height"] > 60
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 360


def test_everything_can_be_done_by_keyboard(page_at: str) -> None:
    with opened(page_at) as page:
        page.get_by_label("Ihre Frage").focus()
        page.keyboard.type(COVERED)
        page.keyboard.press("Enter")
        expect(page.locator(".stages .done.finished")).to_be_visible(timeout=30_000)
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.className") == "citation":
                break
        page.keyboard.press("Enter")
        expect(page.locator("#section")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#section")).to_be_hidden()
        assert page.evaluate("document.activeElement.className") == "citation"


def test_what_looks_like_html_stays_text(two_laws: Edition, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    with answer_service(HOSTILE) as model:
        parts = two_laws.pipeline.parts
        writer = ModelWriter(ChatStream("openai/local", api_base=model.address, tries=1))
        answering = Pipeline(replace(parts, writer=writer, judge=replace(parts.judge, threshold=0.0)))
        about = replace(two_laws.about, sends_to="openai/local")
        edition = Edition("hostile", answering, two_laws.corpus, about)
        with running(create_app(shelf_of(edition), limit=2, seconds=30)) as address, opened(address) as page:
            ask(page, "<b onmouseover='window.hacked = 1'>Wie lange gilt die Leihkarte?</b>")
            expect(page.locator("#answer")).to_contain_text('<img src="x" onerror="window.hacked = 1">')
            assert page.locator("#answer img, #answer b, #answer script, #claims img").count() == 0
            assert page.evaluate("window.hacked") is None
            expect(page.locator("#claims .unsupported").first).to_contain_text("nicht gestützt")
            expect(page.locator("#leaves")).to_contain_text("werden an das Sprachmodell openai/local gesendet")


def test_the_page_speaks_english_too(page_at: str) -> None:
    with opened(page_at) as page:
        page.get_by_role("button", name="English").click()
        expect(page.get_by_text("No legal advice", exact=True)).to_be_visible()
        page.locator("#examples button").first.click()
        expect(page.locator(".stages .done.finished")).to_be_visible(timeout=30_000)
        assert page.evaluate("document.documentElement.lang") == "en"
        expect(page.locator("#answer")).not_to_be_empty()
