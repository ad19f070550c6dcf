"""Whether a text is one that applies, read from what the published file says. Which text that is, is decided by the callers.

The documents' bodies use a small vocabulary of remarks in place of text; the editors' conventions are known from the files
only, for the DTD has no element for a provision's status.
"""

import re

from lawrag_assets.laws.model import Status

_REPEALED = re.compile(r"\(?\s*(?:weggefallen|aufgehoben|entfällt|entfallen|gestrichen)\s*\)?\s*[.;,]?", re.IGNORECASE)
_FUTURE = re.compile(r"\(?\s*(?:noch nicht|zukünftig) in Kraft(?:\s*\)|\b.*)", re.IGNORECASE)
_REMARK = re.compile(r"\([^()]*\)\s*\.?")
_NOT_SHOWN = re.compile(
    r"änderungs?|aufhebungs|inkraft|außerkraft|inhalt|gegenstandslos|überholt|besondere|vollzogen|darstellbar|abgedruckt",
    re.IGNORECASE,
)
_UNUSED = re.compile(r"\(?nicht (?:belegt|besetzt|vergeben)\)?\.?")
_DASH = re.compile(r"[-–—.\s]*")
_VOID = re.compile(r"\bnichtig\b")


def read_status(text: str, heading: str, notes: list[str], *, italic: bool = False) -> tuple[Status, str]:
    """The status of a provision with this body and heading, and the words that show it ("" for one in force).

    The body decides if it has text of its own; a body of nothing or dashes leaves the word to the heading, then to the notes.
    `italic` says that the whole body is set in italics: with a note that it is null (nichtig) it is void.
    """
    if not _DASH.fullmatch(text):
        remark = _of_remark(text)
        if remark is Status.IN_FORCE:
            void = italic and next((note for note in notes if _VOID.search(note)), "")
            return (Status.VOID, void) if void else (Status.IN_FORCE, "")
        return remark, text
    if heading and (remark := _of_remark(heading)) is not Status.IN_FORCE:
        return remark, heading
    for note in notes:
        if re.search(r"\bweggefallen\b", note, re.IGNORECASE):
            return Status.REPEALED, note
    return Status.NO_TEXT, text or "no text"


def _of_remark(text: str) -> Status:
    """The status that a remark in place of text states; IN_FORCE if it is no such remark."""
    if _REPEALED.fullmatch(text):
        return Status.REPEALED
    if _FUTURE.fullmatch(text):
        return Status.FUTURE
    if _UNUSED.fullmatch(text) or (_REMARK.fullmatch(text) and _NOT_SHOWN.search(text)):
        return Status.NO_TEXT
    return Status.IN_FORCE


def is_remark(text: str) -> bool:
    """Whether a text only says that there is no text that applies."""
    return bool(_DASH.fullmatch(text)) or _of_remark(text) is not Status.IN_FORCE
