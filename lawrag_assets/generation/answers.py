"""The store of answers: what one entry holds, what the store holds in all, and how it travels as JSON Lines.

An entry's key is the hash of all that the answer depends on (generator, model, prompt version, parameters, request); its record is
JSON and says whose answer it is and what it took. When to look in and when to ask belongs to `cached`.
"""

import dataclasses
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lawrag_assets.cache import Cache, CacheRoom, content_key, open_cache
from lawrag_assets.errors import InputError
from lawrag_assets.files import atomic_path
from lawrag_assets.generation import wire
from lawrag_assets.generation.protocol import Answer, Fallback, Origin, Request, Task, Trouble, Usage

_LINES_AT_ONCE = 1000

Count = Annotated[int, Field(ge=0)]
Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Record(BaseModel):
    """An entry as it is kept and exported; an export has the key, in hexadecimal, beside it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    generator: str
    model: str
    task: Task = Field(strict=False)
    prompt: str
    parameters: str
    value: str | int | list[str]
    calls: Count
    input_tokens: Count | None
    output_tokens: Count | None
    cost: Amount | None
    seconds: Amount
    trouble: Trouble | None = Field(default=None, strict=False)
    reason: str | None = None


class _Line(Record):
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


@dataclass(frozen=True)
class Holding:
    """What the store holds of one model and prompt. `bytes` are those of keys and records; tokens and cost that are unknown are
    not in the sums: `unpriced` counts the entries without a known cost."""

    generator: str
    model: str
    task: Task
    prompt: str
    entries: int
    fallbacks: int
    bytes: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float
    unpriced: int
    seconds: float


def answer_key(origin: Origin, request: Request[Any]) -> bytes:
    """The key of the answer to a request; no two that may be answered differently share one."""
    asked = json.dumps(dataclasses.asdict(request), ensure_ascii=False, sort_keys=True)
    return content_key(origin.generator, origin.model, str(origin.task), origin.prompt, origin.parameters, asked)


class AnswerStore:
    """The answers of one cache, `generation/answers`. Several processes may use it at once."""

    def __init__(self, room: CacheRoom, opened: Callable[[CacheRoom, str], Cache] = open_cache) -> None:
        """Name the cache. It is made when answers are first looked up or put: before anything is paid for, a folder that cannot be
        written is found out. Counting, listing and exporting make none."""
        self._cache = opened(room, "generation/answers")

    @property
    def place(self) -> Path | str:
        """Where the answers are, as a person is told."""
        return self._cache.place

    def get_many(self, keys: Iterator[bytes] | list[bytes]) -> dict[bytes, Answer[Any]]:
        """The answers of those of the keys that are there, marked as cached."""
        return {key: _answer(self._record(value)) for key, value in self._cache.get_many(keys).items()}

    def put_many(self, origin: Origin, answers: Mapping[bytes, Answer[Any]], *, replace: bool = False) -> None:
        """Keep answers, all or none; one that is there already stays unless it is to be replaced."""
        self._cache.put_many({key: _written(_record(origin, answer)) for key, answer in answers.items()}, replace=replace)

    def __len__(self) -> int:
        """How many answers there are."""
        return len(self._cache) if self._cache.exists() else 0

    def holdings(self) -> list[Holding]:
        """What there is, by generator, model, task and prompt version, sorted."""
        groups: dict[tuple[str, str, Task, str], list[tuple[int, Record]]] = {}
        for key, value in self._items():
            record = self._record(value)
            group = (record.generator, record.model, record.task, record.prompt)
            groups.setdefault(group, []).append((len(key) + len(value), record))
        return [_holding(group, members) for group, members in sorted(groups.items())]

    def of_others(self, origins: Collection[Origin]) -> dict[bytes, int]:
        """The answers of none of these origins: their keys and how many bytes each takes."""
        mine = {(origin.generator, origin.model, origin.task, origin.prompt) for origin in origins}
        entries = ((key, len(key) + len(value), self._record(value)) for key, value in self._items())
        return {
            key: size for key, size, record in entries if (record.generator, record.model, record.task, record.prompt) not in mine
        }

    def remove(self, keys: Sequence[bytes]) -> None:
        """Take answers away for good."""
        if keys:
            self._cache.remove_many(keys)

    def export_lines(self, path: Path) -> int:
        """Write all answers to a JSON Lines file, by key, replacing it in one step; how many there were.

        Raises InputError where no file can be written.
        """
        if path.exists() and not path.is_file():  # a folder, or a device or pipe, which must not be replaced by a file
            raise InputError(f"{path}: no file that can be written")
        count = 0
        try:
            with atomic_path(path.resolve()) as temporary, temporary.open("w", encoding="utf-8") as file:
                for key, value in self._items():
                    record = self._record(value).model_dump(mode="json", exclude_none=False)
                    file.write(json.dumps({"key": key.hex(), **record}, ensure_ascii=False) + "\n")
                    count += 1
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror or error})") from error
        return count

    def import_lines(self, path: Path) -> int:
        """Add the answers of an exported file; those that are there already stay. How many were new.

        Raises InputError, naming file and line, for what is no such answer; then the lines before it may have been added.
        """
        before = len(self)
        waiting: dict[bytes, bytes] = {}
        for line in _lines(path):
            record = Record(**line.model_dump(exclude={"key"}))
            waiting[bytes.fromhex(line.key)] = _written(record)
            if len(waiting) >= _LINES_AT_ONCE:
                self._cache.put_many(waiting)
                waiting.clear()
        self._cache.put_many(waiting)
        return len(self) - before

    def _items(self) -> Iterator[tuple[bytes, bytes]]:
        return self._cache.items() if self._cache.exists() else iter(())

    def _record(self, value: bytes) -> Record:
        try:
            return Record.model_validate_json(value)
        except ValidationError as error:
            raise InputError(f"{self.place}: an entry is no answer ({_reason(error)}); delete it to start anew") from error


def _lines(path: Path) -> Iterator[_Line]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                if text.strip():
                    try:
                        yield _Line.model_validate_json(text)
                    except ValidationError as error:
                        raise InputError(f"{path}:{number}: no exported answer: {_reason(error)}") from error
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise InputError(f"{path}: cannot be read ({reason})") from error


def _reason(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}".removeprefix(": ")


def _written(record: Record) -> bytes:
    return json.dumps(record.model_dump(mode="json"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def _record(origin: Origin, answer: Answer[Any]) -> Record:
    return Record(
        **dataclasses.asdict(origin),
        value=wire.to_json(answer.value),
        **dataclasses.asdict(answer.usage),
        trouble=answer.fallback.trouble if answer.fallback else None,
        reason=answer.fallback.reason if answer.fallback else None,
    )


def _answer(record: Record) -> Answer[Any]:
    usage = Usage(record.calls, record.input_tokens, record.output_tokens, record.cost, record.seconds)
    fallback = Fallback(record.trouble, record.reason or "") if record.trouble else None
    return Answer(wire.from_json(record.value), usage, fallback, cached=True)


def _holding(group: tuple[str, str, Task, str], members: list[tuple[int, Record]]) -> Holding:
    records = [record for _, record in members]
    return Holding(
        *group,
        entries=len(records),
        fallbacks=sum(record.trouble is not None for record in records),
        bytes=sum(size for size, _ in members),
        calls=sum(record.calls for record in records),
        input_tokens=sum(record.input_tokens or 0 for record in records),
        output_tokens=sum(record.output_tokens or 0 for record in records),
        cost=sum(record.cost or 0.0 for record in records),
        unpriced=sum(record.cost is None for record in records),
        seconds=sum(record.seconds for record in records),
    )
