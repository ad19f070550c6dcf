"""How the model sees questions and passages in detail: token vectors, and the vectors of sentences, centred.

The centring is that of `retrieval.dense` with the same calibration questions, one level down: the mean token of the passages is taken from
their tokens, the mean token of the language's calibration questions from the question's. Passages are read behind their headings. What was
read is kept in memory, the newest `KEPT` passages; only the means are kept on disk.
"""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import numpy as np

from lawrag_assets.embedding.protocol import TokenEmbedder, TokenVectors, Vectors
from lawrag_assets.files import atomic_path
from lawrag_assets.qa.model import Passage
from lawrag_assets.retrieval.dense import centred

KEPT = 4000
"""Passages kept: about 200 MB of token vectors in half precision."""
KEPT_QUESTIONS = 64
"""Questions kept: those under way, so that no stage reads one anew."""
MEAN_OF = 120
"""Passages, spread over the corpus, that the mean token is of."""


@dataclass(frozen=True)
class PassageView:
    """A passage as the model reads it behind its headings. `tokens` (t, d) are those of its own text, in half precision."""

    tokens: np.ndarray
    sentences: Vectors
    """(sentences, d): the mean of each sentence's tokens, of length 1; of a sentence beyond the model's limit, the passage's."""


@dataclass(frozen=True)
class QuestionView:
    """A question's tokens (t, d), centred, and its vector (d,), centred."""

    tokens: Vectors
    vector: Vectors


class Views:
    """Passages and questions in token vectors, read when they are first needed. Threads may share one."""

    def __init__(
        self,
        embedder: TokenEmbedder,
        passages: Sequence[Passage],
        calibration: Mapping[str, Sequence[str]],
        *,
        cache_dir: Path,
        identity: str,
    ) -> None:
        """`passages` is the corpus; `calibration` has the calibration questions by language. The means are kept below `cache_dir` by the
        model's `identity` and what they are of."""
        self._embedder = embedder
        self._corpus = passages
        self._calibration = calibration
        self._kept: OrderedDict[str, PassageView] = OrderedDict()
        self._asked: OrderedDict[str, TokenVectors] = OrderedDict()
        self._lock = Lock()
        self._reading = Lock()
        self._cache_dir, self._identity = cache_dir, identity
        self._means: _Means | None = None

    def load(self) -> None:
        """Read now what every question needs."""
        self._centre()

    def preload(self, passages: Sequence[Passage]) -> None:
        """Read these passages now, so that no question has to wait for them."""
        self.of(passages)

    def of(self, passages: Sequence[Passage]) -> list[PassageView]:
        """The views of some passages."""
        with self._lock:
            views = {p.passage_id: self._kept[p.passage_id] for p in passages if p.passage_id in self._kept}
        missing = [passage for passage in passages if passage.passage_id not in views]
        views |= zip((passage.passage_id for passage in missing), self._read(missing), strict=True)
        with self._lock:
            for identifier, view in views.items():
                self._kept[identifier] = view
                self._kept.move_to_end(identifier)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return [views[passage.passage_id] for passage in passages]

    def question(self, text: str, language: str) -> QuestionView:
        """A question's view."""
        means = self._centre()
        tokens = self._question(text)
        token_mean = means.question_tokens.get(language, means.any_question_token)
        vector_mean = means.questions.get(language, means.any_question)
        return QuestionView(
            centred(_some(tokens.vectors, tokens.pooled), token_mean), centred(tokens.pooled[None, :], vector_mean)[0]
        )

    def vector(self, question: str) -> Vectors:
        """A question's plain vector, (d,), as `Embedder.embed` gives it."""
        return self._question(question).pooled

    def _question(self, text: str) -> TokenVectors:
        """What the model makes of a question: read once for all stages."""
        with self._lock:
            found = self._asked.get(text)
        if found is None:
            [found] = self._embedder.embed_tokens([text], "query")
            with self._lock:
                self._asked[text] = found
                while len(self._asked) > KEPT_QUESTIONS:
                    self._asked.popitem(last=False)
        return found

    def max_sim(self, question: QuestionView, views: Sequence[PassageView]) -> np.ndarray:
        """Late interaction (ColBERT's MaxSim, as a mean): how near, on average, a question's token is to its nearest: (passages,)."""
        mean = self._centre().passage_token
        return np.array(
            [(question.tokens @ centred(view.tokens.astype(np.float32), mean).T).max(axis=1).mean() for view in views]
        )

    def sentence_cosines(self, question: QuestionView, view: PassageView) -> np.ndarray:
        """Centred cosines with a passage's sentences: (sentences,)."""
        return np.asarray(centred(view.sentences, self._centre().sentence) @ question.vector)

    def fit(self, question: str, language: str, passages: Sequence[Passage]) -> list[np.ndarray]:
        """Centred cosines of a question with the sentences of each passage."""
        asked = self.question(question, language)
        return [self.sentence_cosines(asked, view) for view in self.of(passages)]

    def _read(self, passages: Sequence[Passage]) -> list[PassageView]:
        heads = [f"{' › '.join([*p.hierarchy, p.heading])}: " if p.heading or p.hierarchy else "" for p in passages]
        texts = [head + passage.text for head, passage in zip(heads, passages, strict=True)]
        views = []
        for passage, head, found in zip(passages, heads, self._embedder.embed_tokens(texts, "passage"), strict=True):
            spans = found.spans - len(head)
            own = spans[:, 1] > 0
            sentences = [
                _unit(found.vectors[inside].mean(axis=0)) if (inside := _inside(spans, s.start, s.end)).any() else found.pooled
                for s in passage.sentences
            ]
            views.append(
                PassageView(
                    _some(found.vectors[own], found.pooled).astype(np.float16),
                    np.array(sentences or [found.pooled], np.float32),
                )
            )
        return views

    def _centre(self) -> "_Means":
        if self._means is None:
            with self._reading:
                self._means = self._means or self._read_means()
        return self._means

    def _read_means(self) -> "_Means":
        """From the cache, else made now and put there."""
        chosen = self._corpus[:: max(1, len(self._corpus) // MEAN_OF)]
        asked = {lang: list(questions) for lang, questions in self._calibration.items()}
        content = json.dumps([self._identity, [(p.hierarchy, p.heading, p.text) for p in chosen], asked], ensure_ascii=False)
        file = self._cache_dir / "views" / f"{hashlib.sha256(content.encode()).hexdigest()[:32]}.npz"
        if file.is_file():
            with np.load(file) as arrays:
                return _Means.from_arrays(dict(arrays))
        read = {lang: self._embedder.embed_tokens(questions, "query") for lang, questions in asked.items()}
        means = _means(self.of(chosen), read)
        with atomic_path(file) as temporary, temporary.open("wb") as opened:
            np.savez(opened, allow_pickle=False, **means.arrays())
        return means


@dataclass(frozen=True)
class _Means:
    passage_token: Vectors
    sentence: Vectors
    question_tokens: Mapping[str, Vectors]
    questions: Mapping[str, Vectors]

    @property
    def any_question_token(self) -> Vectors:
        return np.asarray(np.mean(list(self.question_tokens.values()), axis=0))

    @property
    def any_question(self) -> Vectors:
        return np.asarray(np.mean(list(self.questions.values()), axis=0))

    def arrays(self) -> dict[str, Vectors]:
        by_language = {
            **{f"token {lang}": vector for lang, vector in self.question_tokens.items()},
            **{f"question {lang}": vector for lang, vector in self.questions.items()},
        }
        return {"passage_token": self.passage_token, "sentence": self.sentence, **by_language}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Vectors]) -> "_Means":
        def named(kind: str) -> dict[str, Vectors]:
            return {name.removeprefix(kind): vector for name, vector in arrays.items() if name.startswith(kind)}

        return cls(arrays["passage_token"], arrays["sentence"], named("token "), named("question "))


def _means(views: Sequence[PassageView], questions: Mapping[str, Sequence[TokenVectors]]) -> _Means:
    tokens = {lang: np.concatenate([q.vectors for q in asked]).mean(axis=0) for lang, asked in questions.items()}
    whole = {lang: np.array([q.pooled for q in asked]).mean(axis=0) for lang, asked in questions.items()}
    return _Means(
        passage_token=np.concatenate([view.tokens for view in views]).astype(np.float32).mean(axis=0),
        sentence=np.concatenate([view.sentences for view in views]).mean(axis=0),
        question_tokens=tokens,
        questions=whole,
    )


def _inside(spans: np.ndarray, start: int, end: int) -> np.ndarray:
    """Which tokens lie at least partly within characters `start` to `end`: (tokens,)."""
    return np.asarray((spans[:, 1] > start) & (spans[:, 0] < end))


def _some(vectors: Vectors, pooled: Vectors) -> Vectors:
    """The vectors, or where there are none the whole text's as one."""
    return vectors if len(vectors) else pooled[None, :]


def _unit(vector: Vectors) -> Vectors:
    return vector / max(float(np.linalg.norm(vector)), float(np.finfo(np.float32).tiny))
