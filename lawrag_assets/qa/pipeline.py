"""The way from a question to an answer: one pipeline for the command line, the service and evaluation.

embed → route → retrieve → rerank → judge → answer → attribute. `stream` yields an event as each stage finishes, with the time it took,
and the answer's sentences while it is being written; `ask` waits for the end. A pipeline holds its models and never changes: many
threads may use one. What a stage does stands in its own file.
"""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from lawrag_assets.errors import InputError, WorkFailedError
from lawrag_assets.generation.chat_stream import CutShortError
from lawrag_assets.qa import claims
from lawrag_assets.qa.attribution import Attributor
from lawrag_assets.qa.events import Answered, Attributed, Done, Embedded, Event, Judged, Reranked, Retrieved, Routed, Wrote
from lawrag_assets.qa.extractive_writer import LEADS
from lawrag_assets.qa.finding import POOL, Finder, PassageScores
from lawrag_assets.qa.guard import Evidence, guarded
from lawrag_assets.qa.judging import Judge, signals_of
from lawrag_assets.qa.model import Candidate, Claim, Judgement, Language, LawBuild, RemovedCitation
from lawrag_assets.qa.prompts import UNANSWERABLE
from lawrag_assets.qa.reply import NOTES, REFUSALS, Reply
from lawrag_assets.qa.reranking import Reranker, reordered
from lawrag_assets.qa.routing import Router
from lawrag_assets.qa.views import Views
from lawrag_assets.qa.writing import Writer, sentences_as_they_come
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.hits import Floats

EVIDENCE = 5
"""Candidates that an answer is written from."""
LONGEST_QUESTION = 2000
"""Characters."""


@dataclass(frozen=True)
class Parts:
    """What a pipeline is put together from."""

    embed: Callable[[str], Floats]
    """A question's vector, (d,)."""
    language: Callable[[str], Language]
    finder: Finder
    router: Router
    views: Views
    reranker: Reranker
    judge: Judge
    usual: Callable[[Language], float]
    """The best plain cosine that calibration questions of a language find in this corpus, on average."""
    attributor: Attributor
    writer: Writer
    fallback: Writer
    """Writes where `writer` gives nothing; needs no network."""


@dataclass(frozen=True)
class Looked:
    """What retrieval and reranking found: everything that judging and evaluation need."""

    asked: Asked
    language: Language
    scores: PassageScores
    candidates: list[Candidate]
    """In the reranker's order."""
    logits: np.ndarray
    """(candidates,), falling."""
    judgement: Judgement


class Pipeline:
    """Answers questions."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    @property
    def laws(self) -> tuple[LawBuild, ...]:
        """The laws that can be asked about, with the dates of their builds."""
        return self.parts.finder.passages.laws

    def warm(self, preload: int = 400) -> None:
        """Load all models now; in a corpus of at most `preload` passages read all of them, too."""
        passages = self.parts.finder.passages.all
        self.parts.embed("Aufwärmen")
        self.parts.views.load()
        self.parts.usual("de"), self.parts.usual("en")
        if len(passages) <= preload:
            self.parts.views.preload(passages)
        self.parts.reranker.load()

    def ask(self, question: str, *, laws: Sequence[str] = ()) -> Reply:
        """The whole answer. Errors as `stream`."""
        for event in self.stream(question, laws=laws):
            if isinstance(event, Done):
                return event.reply
        raise AssertionError("unreachable")

    def stream(self, question: str, *, laws: Sequence[str] = ()) -> Generator[Event, None, None]:
        """Yield an event as each stage finishes; the last is `Done` with the whole reply. `laws` are slugs, all where none is named.

        Closing the iterator ends the work, a model's answer included. Raises InputError for an empty or too long question, a law that is
        not in the corpus, and a model that cannot be had.
        """
        self._require(question, laws)
        clock = _Clock()
        yield from self._answered(question.strip(), laws, clock)

    def look(self, question: str, *, laws: Sequence[str] = ()) -> Looked:
        """The stages up to judging, for evaluation: nothing is written."""
        self._require(question, laws)
        found: Looked | None = None
        for step in self._looked(question.strip(), laws, _Clock()):
            if isinstance(step, Looked):
                found = step
        assert found is not None
        return found

    def _require(self, question: str, laws: Sequence[str]) -> None:
        if not question.strip():
            raise InputError("the question is empty")
        if len(question) > LONGEST_QUESTION:
            raise InputError(f"the question has {len(question):,} characters; at most {LONGEST_QUESTION:,} are read")
        known = [law.slug for law in self.laws]
        for law in laws:
            if law not in known:
                raise InputError(f"law {law!r} is not in this profile; its laws: {', '.join(known)}")

    def _looked(self, question: str, laws: Sequence[str], clock: "_Clock") -> Iterator[Event | Looked]:
        parts = self.parts
        language = parts.language(question)
        asked = Asked.one(question, language, parts.embed(question))
        yield Embedded(clock.lap())
        scores = parts.finder.scores(asked)
        searching = clock.lap()
        routes = parts.router.route(question, scores)
        wanted = list(laws) or [route.slug for route in routes if route.named]
        yield Routed(clock.lap(), tuple(routes), tuple(wanted))
        candidates = parts.finder.candidates(scores, wanted, POOL)
        yield Retrieved(searching + clock.lap(), tuple(candidates))
        logits = parts.reranker.logits(asked, candidates, scores)
        candidates = reordered(candidates, logits)
        logits = np.sort(logits)[::-1]
        yield Reranked(clock.lap(), tuple(candidates), parts.reranker.name)
        views = parts.views.of([candidate.passage for candidate in candidates])
        sentences = np.concatenate([view.sentences @ asked.vectors[0] for view in views]) if views else np.zeros(0)
        dense = scores.dense[parts.finder.of_laws(wanted)]
        judgement = parts.judge.judge(signals_of(dense, sentences, logits, parts.usual(language)))
        yield Judged(clock.lap(), judgement, tuple(candidate.passage for candidate in candidates[:EVIDENCE]))
        yield Looked(asked, language, scores, candidates, logits, judgement)

    def _answered(self, question: str, laws: Sequence[str], clock: "_Clock") -> Iterator[Event]:
        found: Looked | None = None
        events: list[Event] = []
        for step in self._looked(question, laws, clock):
            if isinstance(step, Looked):
                found = step
            else:
                events.append(step)
                yield step
        assert found is not None
        evidence = found.candidates[:EVIDENCE]
        written = _Written(self.parts.writer.name)
        if found.judgement.sufficient and evidence:
            yield from self._write(question, evidence, found.language, written)
        else:
            written.refused, written.text = True, REFUSALS[found.language]
        answered = Answered(clock.lap(), written.text, written.refused, written.by, tuple(written.removed), tuple(written.notes))
        yield answered
        attributed = Attributed(clock.lap(), self._claims(written, evidence, found.language))
        yield attributed
        timed = [*events, answered, attributed]
        yield Done(
            clock.total(),
            Reply(
                question=question,
                language=found.language,
                refused=written.refused,
                answer=written.text,
                by=written.by,
                claims=attributed.claims,
                evidence=tuple(candidate.passage for candidate in evidence),
                candidates=tuple(found.candidates),
                routes=next(event.routes for event in events if isinstance(event, Routed)),
                judgement=found.judgement,
                removed_citations=tuple(written.removed),
                notes=tuple(written.notes),
                laws=self.laws,
                milliseconds={event.stage: event.milliseconds for event in timed},
            ),
        )

    def _write(self, question: str, evidence: Sequence[Candidate], language: Language, written: "_Written") -> Iterator[Wrote]:
        """Yield the answer's sentences as they are written and checked, and note in `written` what came of it."""
        try:
            yield from self._written(self.parts.writer, question, evidence, language, written)
        except WorkFailedError as error:
            written.restart(self.parts.fallback.name)
            written.notes.append(f"{NOTES['no model'][language]} ({error})")
            yield from self._written(self.parts.fallback, question, evidence, language, written)
        if not written.text.strip():
            written.refused, written.text = True, REFUSALS[language]

    def _written(
        self, writer: Writer, question: str, evidence: Sequence[Candidate], language: Language, written: "_Written"
    ) -> Iterator[Wrote]:
        allowed = Evidence([candidate.passage for candidate in evidence])
        pieces = writer.write(question, evidence, language)
        if writer.quotes:
            for piece in pieces:
                written.text += piece
                written.quotes.append(piece.strip())
                yield Wrote(0.0, piece)
            return
        with closing(_until_cut(pieces, written, language)) as whole, closing(sentences_as_they_come(whole)) as stream:
            for sentence in stream:
                if any(word in sentence for word in UNANSWERABLE):
                    written.text = ""  # what a model says before or after it is no answer
                    return
                if written.cut and not sentence.rstrip().endswith((".", "!", "?", ")", "“", '"')):
                    continue  # half a sentence may say the contrary of the whole
                result = guarded(sentence, allowed)
                written.removed += result.removed
                written.text += result.text
                yield Wrote(0.0, result.text)

    def _claims(self, written: "_Written", evidence: Sequence[Candidate], language: Language) -> tuple[Claim, ...]:
        if written.refused:
            return ()
        passages = [candidate.passage for candidate in evidence]
        said = [quote for quote in written.quotes if quote not in LEADS] or claims.statements(written.text)
        return tuple(
            Claim(text, (), meta=True)
            if not written.quotes and claims.is_meta(text)
            else self.parts.attributor.attribute(text, passages, language)
            for text in said
        )


class _Clock:
    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()

    def lap(self) -> float:
        """Milliseconds since the last lap."""
        before, self._last = self._last, time.perf_counter()
        return (self._last - before) * 1000

    def total(self) -> float:
        return (time.perf_counter() - self._start) * 1000


class _Written:
    """What has been written so far."""

    def __init__(self, by: str) -> None:
        self.by = by
        self.text = ""
        self.refused = False
        self.cut = False
        self.removed: list[RemovedCitation] = []
        self.notes: list[str] = []
        self.quotes: list[str] = []

    def restart(self, by: str) -> None:
        self.by, self.text, self.removed = by, "", []


def _until_cut(pieces: Iterator[str], written: _Written, language: Language) -> Generator[str, None, None]:
    """The pieces; an answer that ends early is noted."""
    try:
        yield from pieces
    except CutShortError as error:
        written.cut = True
        written.notes.append(f"{NOTES['cut short'][language]} ({error})")
