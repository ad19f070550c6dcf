"""The service put together: routes, page, limits, and the watch for a new index."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles

from lawrag_assets.qa.pipeline import LONGEST_QUESTION
from lawrag_assets.service.api import routes
from lawrag_assets.service.description import describe_events
from lawrag_assets.service.edition import Shelf
from lawrag_assets.service.work import Slots

PAGE = Path(__file__).parent / "page"
LOOK_EVERY = 2.0
"""Seconds between two looks for a new index."""
MOST_BYTES = 16 * LONGEST_QUESTION
"""Of a request's body: room for the longest question, every character of it escaped."""
SAFE = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
"""Headers of every answer: the page takes scripts, styles and data from this host alone."""
log = logging.getLogger("lawrag.service")


def create_app(
    shelf: Shelf, *, limit: int, seconds: float, allowed_origins: Sequence[str] = (), look_every: float = LOOK_EVERY
) -> FastAPI:
    """The service over what is on the shelf: `limit` questions at once, each for `seconds` at most.

    Pages of `allowed_origins` may ask it from a browser; without any, only its own.
    """
    slots = Slots(limit, seconds)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        watching = asyncio.create_task(_watch(shelf, look_every))
        yield
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        slots.close()

    app = FastAPI(
        title="lawrag",
        version=shelf.edition.about.version,
        description="Answers from German federal law with exact citations. No legal advice.",
        lifespan=lifespan,
        max_body_size=MOST_BYTES,
        docs_url=None,  # its page loads scripts from another host
        redoc_url=None,
    )
    app.add_exception_handler(RequestValidationError, _bad_input)
    app.middleware("http")(_with_safe_headers)
    if allowed_origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=list(allowed_origins), allow_methods=["GET", "POST"], allow_headers=["Content-Type"]
        )
    app.include_router(routes(shelf, slots))
    describe_events(app)
    app.mount("/", StaticFiles(directory=PAGE, html=True))
    return app


async def _watch(shelf: Shelf, every: float) -> None:
    while True:
        await asyncio.sleep(every)
        try:
            await run_in_threadpool(shelf.look)
        except Exception as error:  # what is served goes on being served
            log.error("looking for a new index failed: %s", type(error).__name__)


async def _bad_input(_: Request, error: Exception) -> JSONResponse:
    """What is wrong in a sentence, without the input."""
    assert isinstance(error, RequestValidationError)
    reasons = [f"{'.'.join(str(part) for part in one['loc'][1:]) or 'body'}: {one['msg']}" for one in error.errors()]
    return JSONResponse({"detail": "; ".join(reasons)}, 422)


async def _with_safe_headers(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
    response = await answer(request)
    for name, value in SAFE.items():
        response.headers.setdefault(name, value)
    return response
