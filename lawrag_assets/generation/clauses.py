"""Propositions by rule: a unit cut into sentences, lists, half-sentences and coordinated duties, in its own words.

The rules cut only where both sides stay statements; what they cannot judge stays whole. A verb that follows a list stays with the last
item unless a condition opened the sentence, for the running text does not show where a list ends.
"""

import re

from lawrag_assets.generation.enumeration import Item, list_items
from lawrag_assets.generation.protocol import PropositionsRequest
from lawrag_assets.generation.validation import flaw
from lawrag_assets.laws.sentences import sentences_of

_LEVELS = 3  # of lists: 1., a), aa)
_LONGEST_COORDINATION = 600  # the pattern looks back and forth; a longer sentence is none that it would fit
_FINITE = (
    "so|ist|sind|hat|haben|kann|können|wird|werden|darf|dürfen|muss|müssen|soll|sollen|gilt|gelten|findet|finden|bleibt|bleiben|steht"
    "|haftet|verliert|bedarf|erhält|entfällt|tritt|beginnt|endet"
)
_CONDITION_OPENS = re.compile(r"(?:Wenn|Sofern|Soweit|Falls|Solange|Sobald|Wer|Ist|Sind|Hat|Haben|Wird|Werden|Kann|Können)\b")
_CONDITION_OPEN = re.compile(r"\b(?:wenn|sofern|soweit|falls|solange|sobald|weil|da|damit|dass|daß|indem)\b[^,;]*$")
_CLOSING = re.compile(rf",\s(?=(?:{_FINITE})\b)")
_EXCEPTION = re.compile(r",\s(?=es sei denn\b)")
_JOINT = re.compile(r"[\s,;]*(?:\b(?:und|oder|sowie|beziehungsweise|bzw\.))?[\s,;]*$")
_CUMULATIVE = re.compile(r"\b(?:und|sowie)[\s,;]*$")
_HALF = re.compile(r";\s+(?=(?:der|die|das|ein|eine|jeder|jede|jedes|wer)\s[A-ZÄÖÜ])")
_INFINITIVE = r"[^,;.]*?(?:\bzu\s[a-zäöüß]+n|\b[a-zäöüß]+zu[a-zäöüß]+n)"
_DUTIES = re.compile(
    r"(?P<head>.*?\b(?:(?:verpflichtet|berechtigt|befugt|ermächtigt|gehalten),|hat|haben)\s)"
    rf"(?P<first>{_INFINITIVE})\sund\s(?P<second>{_INFINITIVE})(?P<tail>[.,].*|)"
)


def propositions(unit: str) -> tuple[str, ...]:
    """The statements of a unit, in order, each once; the unit itself where nothing is to split. They satisfy `validation`."""
    return _unless_flawed(
        unit, [part for sentence in sentences_of(unit) for part in _unless_flawed(sentence, _statements(sentence))]
    )


def _unless_flawed(whole: str, parts: list[str]) -> tuple[str, ...]:
    distinct = tuple(dict.fromkeys(parts))
    return distinct if flaw(PropositionsRequest(whole), distinct) is None else (whole,)


def _statements(sentence: str, depth: int = 0) -> list[str]:
    items = list_items(sentence) if depth < _LEVELS else []
    if items and not _must_hold_together(sentence, items):
        return [part for whole in _list_statements(sentence, items) for part in _statements(whole, depth + 1)]
    if items:
        return [sentence]
    halves = _HALF.split(sentence)
    if len(halves) > 1:
        halves = [_as_sentence(half) for half in halves]
    return [part for half in halves for part in _duties(half)]


def _must_hold_together(sentence: str, items: list[Item]) -> bool:
    """Whether the items are conditions that must all be met: none of them then says anything alone."""
    introduction = sentence[: items[0].label].rstrip(" :")
    conditional = _CONDITION_OPENS.match(introduction) or _CONDITION_OPEN.search(introduction)
    return conditional is not None and _CUMULATIVE.search(sentence[items[-2].start : items[-2].end]) is not None


def _list_statements(sentence: str, items: list[Item]) -> list[str]:
    """Introduction + item + closing, an item each. What follows a condition closes it; an exception behind a list is for all of it."""
    introduction = sentence[: items[0].label].strip()
    texts = [sentence[item.start : item.end].strip() for item in items]
    closing = (_CLOSING if _CONDITION_OPENS.match(introduction) else _EXCEPTION).search(texts[-1])
    end = ""
    if closing:
        end = texts[-1][closing.start() :]
        texts[-1] = texts[-1][: closing.start()]
    return [_as_sentence(f"{introduction} {_JOINT.sub('', text)}{end}") for text in texts]


def _duties(sentence: str) -> list[str]:
    """ "A ist verpflichtet, X zu tun und Y zu tun" is two duties (the paper's example)."""
    match = _DUTIES.fullmatch(sentence) if len(sentence) <= _LONGEST_COORDINATION else None
    if not match:
        return [sentence]
    return [_as_sentence(f"{match['head']}{match[part]}{match['tail']}") for part in ("first", "second")]


def _as_sentence(part: str) -> str:
    part = part.strip()
    return part[:1].upper() + part[1:] + ("" if part.endswith((".", "!", "?")) else ".")
