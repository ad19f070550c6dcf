"""The sample law and its questions: what a new profile holds and the demo runs on, with no network and no download.

`sample.xml` is a fictional federal statute, the Leihladengesetz (LeihLG), on lending shops and open workshops. It was never
enacted; it is written in the official XML format (gii-norm) exactly as files of real laws come, and holds every structure that
they have. `questions.jsonl` holds lay questions about it, German and English, answerable and not, in the format every question
set has. `claims.jsonl` holds 120 statements as answers make them, two thirds of them borne out by the law. Only these files and the way
to reach them belong here: `laws` parses the first, `evaluation` and `qa` read the others.
"""

from pathlib import Path

SLUG = "sample"
"""The slug under which every law source serves the sample law."""

_FOLDER = Path(__file__).parent


def law_xml() -> bytes:
    """The sample law's XML, byte for byte as a law source would serve it."""
    return (_FOLDER / "sample.xml").read_bytes()


def questions_path() -> Path:
    """Where the sample law's questions (JSON Lines) lie: a file of the installed package, to be read and never written."""
    return _FOLDER / "questions.jsonl"


def claims_path() -> Path:
    """Where claims about the sample law (JSON Lines, `qa.claim_assessment`) lie."""
    return _FOLDER / "claims.jsonl"
