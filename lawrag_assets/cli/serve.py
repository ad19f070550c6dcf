"""`lawrag serve`."""

from contextlib import suppress
from typing import Annotated

import typer

from lawrag_assets.cli.options import AnsweringModelBaseOption, AnsweringModelOption, CellOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import say
from lawrag_assets.cli.settings import settings_of
from lawrag_assets.errors import WorkFailedError
from lawrag_assets.settings import Settings


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 takes a free one.")] = 8000,
    cell: CellOption = "subsection/flat",
    llm: AnsweringModelOption = None,
    llm_api_base: AnsweringModelBaseOption = None,
    storage: StorageOption = None,
    profile: ProfileOption = None,
) -> None:
    """Serve answers over HTTP, and a page to ask on. An index that is missing is built first; one that is made anew is taken up.

    Without a language model nothing leaves this machine. With one, each question and the passages found are sent to its provider. Nobody
    is asked who they are: put a proxy with a login before it where not everybody may ask. No legal advice.

    Example: lawrag serve --port 8000
    """
    settings = settings_of(context, storage=storage, profile=profile, llm=llm, llm_api_base=llm_api_base)
    if not _is_built(settings, cell):
        _build(settings, cell)
    _serve(settings, cell, host, port)


def _is_built(settings: Settings, cell: str) -> bool:
    from lawrag_assets.serving import stamp

    return bool(stamp(settings, cell))


def _build(settings: Settings, cell: str) -> None:
    """What `lawrag run --cells CELL` does."""
    from lawrag_assets.cli.progress import BarProgress
    from lawrag_assets.defs.driver import Remembered, drive
    from lawrag_assets.search import one_cell

    say(f"the index of {cell} is not there yet: building it, once")
    with BarProgress() as progress:
        finished = drive(settings, [one_cell(cell)], to_remember=Remembered({}), progress=progress, say=progress.say)
    if not _is_built(settings, cell):
        failed = "; ".join(f"{step}: {reason}" for step, reason in finished.outcome.failed.items())
        raise WorkFailedError(f"the index could not be built: {failed}")


def _serve(settings: Settings, cell: str, host: str, port: int) -> None:
    import uvicorn

    from lawrag_assets.serving import open_service

    class Announced(uvicorn.Server):
        async def startup(self, sockets: object = None) -> None:
            await super().startup(sockets)  # type: ignore[arg-type]
            if self.started:
                bound = self.servers[0].sockets[0].getsockname()[1]
                say(f"answering at http://{host}:{bound} (Ctrl-C ends it)")

    say("loading the index and the models …")
    app = open_service(settings, cell=cell)
    # No access log: the address of a streamed answer has the question in it.
    server = Announced(
        uvicorn.Config(app, host=host, port=port, access_log=False, log_level="warning", ws="none", timeout_graceful_shutdown=5)
    )
    with suppress(KeyboardInterrupt):  # the usual end
        server.run()
    if not server.started:
        raise WorkFailedError(f"cannot listen on {host}:{port}; name another --port")
