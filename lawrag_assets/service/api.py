"""The routes of the service."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request
from fastapi.sse import format_sse_event
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from lawrag_assets.errors import InputError
from lawrag_assets.qa import events
from lawrag_assets.qa.pipeline import LONGEST_QUESTION
from lawrag_assets.qa.reply import NO_ADVICE
from lawrag_assets.service import wire
from lawrag_assets.service.description import STREAM
from lawrag_assets.service.edition import Edition, Shelf
from lawrag_assets.service.examples import examples_for
from lawrag_assets.service.work import AnswerFailedError, BusyError, Slots, TooLongError, Work

MOST_DOTS = 1000
BUSY = "all slots are taken: ask again in a moment"
TOO_LONG = "the answer took too long"
FAILED = "the answer failed; the service's log says where"
_WRONG: dict[int | str, dict[str, Any]] = {422: {"model": wire.Problem, "description": "Bad input"}}
_ASKING: dict[int | str, dict[str, Any]] = {
    **_WRONG,
    502: {"model": wire.Problem, "description": "Answering failed"},
    503: {
        "model": wire.Problem,
        "description": "All slots are taken",
        "headers": {"Retry-After": {"description": "Seconds", "schema": {"type": "integer"}}},
    },
    504: {"model": wire.Problem, "description": "The answer took too long"},
}


def routes(shelf: Shelf, slots: Slots) -> APIRouter:
    """The routes over what is on the shelf."""
    router = APIRouter()

    @router.get("/health")
    def health() -> wire.Health:
        """Whether the service is ready; it listens only once models and index are loaded."""
        return wire.Health(under_way=slots.taken, limit=slots.limit, laws=list(shelf.edition.pipeline.laws))

    @router.get("/api/meta")
    def meta() -> wire.Meta:
        """Models, laws with the dates of their builds, and what leaves the machine."""
        return _meta(shelf.edition)

    @router.get("/api/corpus", responses=_WRONG)
    def corpus(
        offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST_DOTS)] = 500,
        law: Annotated[str, Query(max_length=100, description="Only this law (slug).")] = "",
    ) -> wire.CorpusPage:
        """The Absätze in force with their places on the plane, a page at a time. An unknown law has none."""
        return _corpus_page(shelf.edition, offset, limit, law)

    @router.get(
        "/api/section/{citation:path}",
        responses={**_WRONG, 404: {"model": wire.Problem, "description": "No such section"}},
    )
    def section(
        citation: Annotated[str, Path(max_length=200, examples=["§ 4 ArbZG"])],
    ) -> wire.Section:
        """The section that a citation names, as people write it ("§ 3 Abs. 1 Satz 2 BUrlG", "Art 1 GG")."""
        try:
            row = shelf.edition.section(citation)
        except InputError as error:
            raise HTTPException(422, str(error)) from error
        if row is None:
            raise HTTPException(404, "no section of the laws served bears this citation")
        return wire.Section.of_row(row)

    @router.post("/api/query", responses=_ASKING)
    async def query(request: Request, ask: wire.Ask) -> wire.Answer:
        """Answer a question from the law, or refuse. Each answer states the date of the law's build."""
        edition, work = _begin(shelf, slots, ask)
        try:
            async for event in work.events():
                if isinstance(event, events.Done):
                    return wire.Answer.of(event.reply, _point(edition, ask))
                if await request.is_disconnected():
                    break
        except TooLongError as error:
            raise HTTPException(504, TOO_LONG) from error
        except InputError as error:
            raise HTTPException(422, str(error)) from error
        except AnswerFailedError as error:
            raise HTTPException(502, FAILED) from error
        finally:
            work.stop()
        raise HTTPException(502, FAILED)

    @router.get("/api/query/stream", responses={**_ASKING, 200: STREAM}, response_class=StreamingResponse, response_model=None)
    async def stream(ask: Annotated[wire.Ask, Query()]) -> StreamingResponse:
        """The same answer as server-sent events, one as each stage finishes, with the time that was measured for it."""
        edition, work = _begin(shelf, slots, ask)
        return _Streamed(_sent(edition, work, ask), work)

    return router


def _begin(shelf: Shelf, slots: Slots, ask: wire.Ask) -> tuple[Edition, Work]:
    """Take a slot. HTTPException for what cannot be answered and while none is free."""
    edition = shelf.edition
    known = [law.slug for law in edition.pipeline.laws]
    if not ask.question.strip():
        raise HTTPException(422, "question: it is empty")
    if any(law not in known for law in ask.laws):
        raise HTTPException(422, f"laws: a law is not served here; those are {', '.join(known)}")
    try:
        return edition, slots.begin(lambda: edition.pipeline.stream(ask.question, laws=ask.laws))
    except BusyError as error:
        raise HTTPException(503, BUSY, {"Retry-After": "1"}) from error


def _point(edition: Edition, ask: wire.Ask) -> wire.Point:
    """The question's place; its vector is still at hand from answering."""
    return edition.plane.place(edition.pipeline.parts.embed(ask.question.strip()))


async def _sent(edition: Edition, work: Work, ask: wire.Ask) -> AsyncIterator[bytes]:
    try:
        async for event in work.events():
            sent = wire.on_the_wire(event, _point(edition, ask))
            yield format_sse_event(event=event.stage, data_str=sent.model_dump_json())
    except TooLongError:
        yield _error(TOO_LONG)
    except (AnswerFailedError, InputError):
        yield _error(FAILED)


def _error(detail: str) -> bytes:
    return format_sse_event(event="error", data_str=wire.Problem(detail=detail).model_dump_json())


class _Streamed(StreamingResponse):
    """Server-sent events; the work ends with the client, however it goes."""

    media_type = "text/event-stream"

    def __init__(self, content: AsyncIterator[bytes], work: Work) -> None:
        super().__init__(content, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self._work = work

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._work.stop()


def _meta(edition: Edition) -> wire.Meta:
    pipeline, about = edition.pipeline, edition.about
    passages = pipeline.parts.finder.passages.all
    return wire.Meta(
        version=about.version,
        profile=about.profile,
        cell=about.cell,
        embedding_model=about.embedding_model,
        dimension=edition.dimension,
        reranker=pipeline.parts.reranker.name,
        answers_by=pipeline.parts.writer.name,
        sends_to=about.sends_to,
        laws=[
            wire.ServedLaw(slug=law.slug, law=law.law, build=law.build, passages=sum(p.slug == law.slug for p in passages))
            for law in pipeline.laws
        ],
        passages=len(passages),
        variance=edition.plane.shares,
        longest_question=LONGEST_QUESTION,
        examples=examples_for([law.slug for law in pipeline.laws]),
        disclaimer=NO_ADVICE,
    )


def _corpus_page(edition: Edition, offset: int, limit: int, law: str) -> wire.CorpusPage:
    plane, passages = edition.plane, edition.pipeline.parts.finder.passages.all
    chosen = [place for place, passage in enumerate(passages) if law in ("", passage.slug)]
    items = [
        wire.Dot(
            passage_id=(passage := passages[place]).passage_id,
            citation=passage.citation,
            section_citation=passage.section_citation,
            heading=passage.heading,
            slug=passage.slug,
            division=passage.hierarchy[0] if passage.hierarchy else "",
            characters=len(passage.text),
            x=float(plane.points[place, 0]),
            y=float(plane.points[place, 1]),
            nearest=passages[plane.nearest[place]].passage_id,
            cosine=float(plane.cosines[place]),
        )
        for place in chosen[offset : offset + limit]
    ]
    return wire.CorpusPage(total=len(chosen), offset=offset, variance=plane.shares, items=items)
