"""What is to be done about what a source says of its laws: a pure decision, with no clock, file or network.

`look` asks the source and makes the readings; the sensor keeps the state between two looks and starts what is requested.

A law is asked for where its content differs from the one that is built, be it new or one it had before: a law that changes back has
changed. A reading that failed says nothing of the law. An older build than the one built is a slip of the source's (a mirror that
lags, a restored backup): the index of the newer one stays.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lawrag_assets.laws.law_file import build_date

LONGEST_WAIT = 3600.0
"""Seconds between two looks at what cannot be read, or cannot be asked about without a download; and until a request that has led
to nothing is repeated."""


@dataclass(frozen=True, slots=True)
class Content:
    """A version of a law: its XML's digest, and when the site made it (digits that sort; empty if unknown)."""

    sha256: str
    build: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What is remembered of a law between two looks. `due`: when to look again; `asked`: the digest that was requested last, `asked_at`
    when; times in seconds since 1970."""

    content: Content | None = None
    mark: str = ""
    due: float = 0.0
    failures: int = 0
    trouble: str = ""
    listed: bool | None = None
    asked: str = ""
    asked_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Same:
    """The source says that nothing has changed since the mark it was asked with."""


@dataclass(frozen=True, slots=True)
class Found:
    """The source handed out the law."""

    content: Content
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """The law could not be read. `wait`: seconds for which the source asks to be left alone."""

    reason: str
    wait: float = 0.0


Reading = Same | Found | Failed


@dataclass(frozen=True, slots=True)
class Current:
    """One look: readings of the laws that were asked about; the slugs in the source's table of contents where it was read."""

    readings: Mapping[str, Reading]
    contents: frozenset[str] | None = None


@dataclass(frozen=True)
class Decision:
    """`requests`: the content to build, by law. `notes`: why nothing is done about a law, where something is the matter with it."""

    known: dict[str, Known]
    requests: dict[str, Content] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)


def decide(
    previous: Mapping[str, Known], current: Current, built: Mapping[str, Content], *, laws: list[str], now: float, interval: float
) -> Decision:
    """What to build, from what was known before, what the source says now, and what is built. Laws that are not `laws` are forgotten."""
    decision = Decision({law: previous.get(law, Known()) for law in laws})
    for law in laws:
        known = _listed(decision.known[law], law, current.contents)
        known = _after(known, current.readings.get(law), now, interval)
        content, note = _to_build(known, built.get(law), now)
        if content:
            decision.requests[law] = content
            known = replace(known, asked=content.sha256, asked_at=now)
        if note := "; ".join(filter(None, (known.trouble, _gone(known), note))):
            decision.notes[law] = note
        decision.known[law] = known
    return decision


def _listed(known: Known, law: str, contents: frozenset[str] | None) -> Known:
    """A law that appears in the table of contents is looked at at once, however long it was missing."""
    if contents is None:
        return known
    listed = law in contents
    appeared = listed and known.listed is False
    return replace(known, listed=listed, due=0.0 if appeared else known.due)


def _after(known: Known, reading: Reading | None, now: float, interval: float) -> Known:
    if reading is None:
        return known
    if isinstance(reading, Failed):
        failures = known.failures + 1
        wait = max(min(interval * 2 ** min(failures, 20), LONGEST_WAIT), reading.wait)
        return replace(known, failures=failures, due=now + wait, trouble=reading.reason)
    if isinstance(reading, Found):
        known = replace(known, content=reading.content, mark=reading.mark)
    return replace(known, failures=0, trouble="", due=now + (interval if known.mark else max(interval, LONGEST_WAIT)))


def _to_build(known: Known, built: Content | None, now: float) -> tuple[Content | None, str]:
    """The content to build, or why there is something else than what is built and yet nothing to do."""
    content = known.content
    if content is None or (built and content.sha256 == built.sha256):
        return None, ""
    if built and is_older(content.build, built.build):
        return None, older_build(content.build, built.build)
    if known.asked == content.sha256 and now < known.asked_at + LONGEST_WAIT:
        return None, "being built, or its run failed"
    return content, ""


def is_older(build: str, than: str) -> bool:
    """Whether the site made this build before that one, as far as the files say."""
    return bool(build and than and build < than)


def older_build(served: str, built: str) -> str:
    """The reason why an older build is not taken."""
    return f"the source serves the build of {build_date(served)}, older than that of {build_date(built)}, which is kept"


def _gone(known: Known) -> str:
    return "no longer in the source's table of contents; its index stays" if known.listed is False and known.content else ""
