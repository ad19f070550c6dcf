"""Noticing that a law has changed: a sensor that looks at the law source again and again, and a daily schedule in its place.

What a reading means is decided in `laws.watch`, asking politely is `laws.look`'s; what depends on a law is redone by `automation`.
"""

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import dagster as dg

from lawrag_assets.defs.instance import Holder, is_held
from lawrag_assets.defs.laws import built_content
from lawrag_assets.defs.looks import last_look, record_look
from lawrag_assets.defs.partitions import LAWS
from lawrag_assets.defs.tags import BUILD, LAW
from lawrag_assets.laws.law_file import build_date
from lawrag_assets.laws.look import look
from lawrag_assets.laws.source import WatchedSource
from lawrag_assets.laws.watch import LONGEST_WAIT, Content, Decision, Known, decide
from lawrag_assets.settings import Settings
from lawrag_assets.storage import Storage
from lawrag_assets.tables import TableStore

LAW_UPDATE = dg.define_asset_job(
    "law_update",
    selection=["law_xml", "law_sections", "law_changes"],
    description="Takes a law's build, parses it and says what it changed. What depends on the law is `keep_fresh`'s.",
)
_TICK = 15
"""Seconds between two ticks of the sensor, most of which ask nothing: each law has its own time to be looked at."""


def watchers(settings: Settings) -> tuple[dg.SensorDefinition, dg.ScheduleDefinition]:
    """The sensor and the schedule over the profile's law source; LAWRAG_WATCH says which of them starts running."""

    @dg.sensor(
        name="law_watch",
        job=LAW_UPDATE,
        minimum_interval_seconds=_TICK,
        default_status=dg.DefaultSensorStatus.RUNNING if settings.watch == "on" else dg.DefaultSensorStatus.STOPPED,
        description=(
            f"Looks whether a law has changed at {settings.law_source}, each law every {settings.watch_seconds} seconds, and asks for "
            "`law_update` of those that have. It asks with ETag or Last-Modified, one law after the other, waits longer after each "
            "failure, and reads the table of contents once an hour. A law that cannot be read, is gone, or comes in an older build "
            "than before leaves the index as it is; the tick says why. Starts running with LAWRAG_WATCH=on."
        ),
    )
    def law_watch(
        context: dg.SensorEvaluationContext,
        law_source: dg.ResourceParam[WatchedSource],
        paths: dg.ResourceParam[Storage],
        tables: dg.ResourceParam[TableStore],
    ) -> dg.SensorResult | dg.SkipReason:
        if reason := _idle(settings, paths):
            return dg.SkipReason(reason)
        before = _Cursor.from_text(context.cursor, law_source.location)
        now = time.time()
        decision, read_contents = _decide(settings, law_source, paths, tables, before, now)
        _record(context.instance, settings, decision, now)
        requests = list(_requests(decision))
        new = [law for law in settings.laws if not context.instance.has_dynamic_partition(str(LAWS.name), law)]
        after = _Cursor(law_source.location, now if read_contents else before.contents_read, decision.known)
        return dg.SensorResult(
            run_requests=requests,
            skip_reason=None if requests else _reason(settings, decision, now),
            dynamic_partitions_requests=[LAWS.build_add_request(new)] if new else [],
            cursor=after.as_text(),
        )

    @dg.schedule(
        name="law_watch_daily",
        job=LAW_UPDATE,
        cron_schedule="30 5 * * *",
        execution_timezone="Europe/Berlin",
        default_status=dg.DefaultScheduleStatus.RUNNING if settings.watch == "daily" else dg.DefaultScheduleStatus.STOPPED,
        description=(
            f"The sensor `law_watch` once a day, at half past five in Berlin: looks at {settings.law_source} and asks for `law_update` "
            "of the laws that have changed. Starts running with LAWRAG_WATCH=daily."
        ),
    )
    def law_watch_daily(
        context: dg.ScheduleEvaluationContext,
        law_source: dg.ResourceParam[WatchedSource],
        paths: dg.ResourceParam[Storage],
        tables: dg.ResourceParam[TableStore],
    ) -> Iterator[dg.RunRequest | dg.SkipReason]:
        if reason := _idle(settings, paths):
            yield dg.SkipReason(reason)
            return
        now = time.time()
        decision, _ = _decide(settings, law_source, paths, tables, _Cursor(law_source.location), now)
        _record(context.instance, settings, decision, now)
        yield from _requests(decision)
        if not decision.requests:
            yield dg.SkipReason(_reason(settings, decision, now))

    return law_watch, law_watch_daily


@dataclass(frozen=True)
class _Cursor:
    """What is remembered of a source between two ticks."""

    source: str
    contents_read: float = 0.0
    known: Mapping[str, Known] = field(default_factory=dict)

    def as_text(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_text(text: str | None, source: str) -> "_Cursor":
        """What an earlier tick remembered of this source; nothing where there was none, or another source."""
        written: dict[str, Any] = json.loads(text) if text else {}
        if written.get("source") != source:
            return _Cursor(source)
        return _Cursor(source, written["contents_read"], {law: _known(state) for law, state in written["known"].items()})


def _known(state: dict[str, Any]) -> Known:
    return Known(**{**state, "content": Content(**state["content"]) if state["content"] else None})


def _idle(settings: Settings, paths: Storage) -> str:
    """Why nothing is looked at; empty where there is no reason."""
    if settings.as_of:
        return f"this profile holds the law as of {settings.as_of}: nothing to look for (`lawrag run --as-of ''` ends that)"
    if is_held(paths, Holder.DRIVER):
        return "`lawrag run` is at work on this profile, and looks at the laws itself"
    return ""


def _decide(
    settings: Settings, source: WatchedSource, paths: Storage, tables: TableStore, before: _Cursor, now: float
) -> tuple[Decision, bool]:
    """The decision, and whether the table of contents was due for it."""
    with_contents = now >= before.contents_read + LONGEST_WAIT
    current = look(source, paths.laws, settings.laws, before.known, now=now, with_contents=with_contents)
    built = {law: content for law in settings.laws if (content := built_content(tables, law, source.location))}
    decision = decide(before.known, current, built, laws=settings.laws, now=now, interval=settings.watch_seconds)
    return decision, with_contents and bool(current.readings)


def _record(instance: dg.DagsterInstance, settings: Settings, decision: Decision, now: float) -> None:
    """Note, once an hour, that all laws could be read, so that the UI shows how long ago that was."""
    read = {law: known.content.sha256 for law, known in decision.known.items() if known.content and not known.trouble}
    last = last_look(instance)
    if len(read) == len(settings.laws) and (last is None or now >= last.timestamp() + LONGEST_WAIT):
        record_look(instance, settings.law_source, read)


def _requests(decision: Decision) -> Iterator[dg.RunRequest]:
    """A run a law. Without a run key, which would refuse for ever a law that changes back."""
    for law, content in decision.requests.items():
        yield dg.RunRequest(
            partition_key=law,
            run_config={"ops": {"law_xml": {"config": {"sha256": content.sha256}}}},
            tags={LAW: law, BUILD: build_date(content.build) or "unknown"},
        )


def _reason(settings: Settings, decision: Decision, now: float) -> str:
    """Why nothing is asked for: what is the matter with each law, or that there is nothing the matter."""
    if decision.notes:
        return "; ".join(f"{law}: {note}" for law, note in decision.notes.items())
    wait = max(min(known.due for known in decision.known.values()) - now, 0)
    return f"{len(settings.laws)} law(s) as they were; next look in {wait:.0f} s"
