"""What requests and answers look like on the wire. The plain values of `qa.model` are sent as they are."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from lawrag_assets.qa import events
from lawrag_assets.qa.model import Candidate, Claim, Judgement, Language, LawBuild, Passage, RemovedCitation, Route
from lawrag_assets.qa.pipeline import LONGEST_QUESTION
from lawrag_assets.qa.reply import NOTES, Reply

MOST_LAWS = 50
Point = tuple[float, float]


class Problem(BaseModel):
    """Why there is no answer, in a sentence."""

    detail: str


class Ask(BaseModel):
    """A question."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1, max_length=LONGEST_QUESTION, examples=["Wie lange gilt die Leihkarte?"])
    laws: list[str] = Field(default=[], max_length=MOST_LAWS, description="Look in these laws only (slugs); in all where empty.")


class Health(BaseModel):
    """The service is ready."""

    status: str = "ok"
    under_way: int = Field(description="Questions being answered.")
    limit: int = Field(description="As many at once; further ones get 503.")
    laws: list[LawBuild]


class ServedLaw(BaseModel):
    """A law that can be asked about. `build` is the date of the law's text."""

    slug: str
    law: str
    build: str
    passages: int


class Meta(BaseModel):
    """What answers, from what."""

    version: str
    profile: str
    cell: str
    embedding_model: str
    dimension: int
    reranker: str
    answers_by: str = Field(description="A language model's name, or `extractive`: the law's own words.")
    sends_to: str = Field(description="The language model to which question and evidence are sent; empty where nothing is sent.")
    laws: list[ServedLaw]
    passages: int
    variance: Point = Field(description="Shares of the vectors' variance that the plane's two axes keep. It is for display only.")
    longest_question: int
    examples: dict[Language, list[str]]
    disclaimer: dict[Language, str]


class Dot(BaseModel):
    """A passage on the plane."""

    passage_id: str
    citation: str
    section_citation: str
    heading: str
    slug: str
    division: str = Field(description="The outermost heading above the section.")
    characters: int
    x: float
    y: float
    nearest: str = Field(description="The passage nearest by cosine.")
    cosine: float


class CorpusPage(BaseModel):
    """A part of the corpus, in document order."""

    total: int
    offset: int
    variance: Point
    items: list[Dot]


class SectionSentence(BaseModel):
    """A Satz; `start` and `end` are character offsets into its Absatz's text."""

    number: int
    citation: str
    text: str
    start: int
    end: int


class SectionSubsection(BaseModel):
    """An Absatz; `label` is null where Absätze are not numbered."""

    label: str | None
    citation: str
    status: str
    text: str
    sentences: list[SectionSentence]


class Section(BaseModel):
    """A section of a law as it was built."""

    section_id: str
    slug: str
    law: str
    build: str
    citation: str
    designation: str
    heading: str
    hierarchy: list[str]
    status: str
    text: str
    subsections: list[SectionSubsection]
    notes: list[str]

    @classmethod
    def of_row(cls, row: dict[str, Any]) -> "Section":
        """From a row of the corpus."""
        subsections = [
            {
                **part,
                "sentences": [
                    {**s, "start": s["start"] - part["start"], "end": s["end"] - part["start"]} for s in part["sentences"]
                ],
            }
            for part in row["subsections"]
        ]
        hierarchy = [" ".join(filter(None, (level["label"], level["title"]))) for level in row["hierarchy"]]
        return cls(**{**row, "heading": row["heading"] or "", "hierarchy": hierarchy, "subsections": subsections})


class Found(BaseModel):
    """A candidate: where the retriever put it, by cosine, and where the reranker did (`rerank_score` lies between 0 and 1)."""

    passage_id: str
    citation: str
    section_citation: str
    heading: str
    slug: str
    score: float
    rank: int
    rerank_score: float | None
    rerank_rank: int | None

    @classmethod
    def of(cls, candidate: Candidate) -> "Found":
        """Without the passage's text."""
        passage = candidate.passage
        return cls(
            passage_id=passage.passage_id,
            citation=passage.citation,
            section_citation=passage.section_citation,
            heading=passage.heading,
            slug=passage.slug,
            score=candidate.score,
            rank=candidate.rank,
            rerank_score=candidate.rerank_score,
            rerank_rank=candidate.rerank_rank,
        )


class Answer(BaseModel):
    """A whole answer. `evidence` is what it may cite; `milliseconds` has the measured time of each stage."""

    question: str
    language: Language
    refused: bool
    answer: str
    by: str
    claims: list[Claim]
    evidence: list[Passage]
    candidates: list[Found]
    routes: list[Route]
    judgement: Judgement
    removed_citations: list[RemovedCitation]
    notes: list[str]
    laws: list[LawBuild]
    milliseconds: dict[str, float]
    point: Point = Field(description="The question on the plane.")
    disclaimer: str

    @classmethod
    def of(cls, reply: Reply, point: Point) -> "Answer":
        """What a reply says, without what a model's provider said of itself."""
        return cls(
            question=reply.question,
            language=reply.language,
            refused=reply.refused,
            answer=reply.answer,
            by=reply.by,
            claims=list(reply.claims),
            evidence=list(reply.evidence),
            candidates=[Found.of(candidate) for candidate in reply.candidates],
            routes=list(reply.routes),
            judgement=reply.judgement,
            removed_citations=list(reply.removed_citations),
            notes=[public_note(note) for note in reply.notes],
            laws=list(reply.laws),
            milliseconds=reply.milliseconds,
            point=point,
            disclaimer=reply.disclaimer,
        )


class Embedded(BaseModel):
    """Stage `embed`: the question has its vector; `point` is where it lies on the plane."""

    milliseconds: float
    point: Point


class Routed(BaseModel):
    """Stage `route`: the laws, the likeliest first; `searched` are those that are looked in, all where it is empty."""

    milliseconds: float
    routes: list[Route]
    searched: list[str]


class Candidates(BaseModel):
    """Stages `retrieve` and `rerank`: the candidates in the order of the stage."""

    milliseconds: float
    candidates: list[Found]
    reranker: str | None = None


class Judged(BaseModel):
    """Stage `judge`: whether the evidence suffices."""

    milliseconds: float
    judgement: Judgement
    evidence: list[Passage]


class Wrote(BaseModel):
    """Stage `write`: a sentence of the answer, checked. Several come, or none."""

    text: str


class Answered(BaseModel):
    """Stage `answer`: the answer is complete, or refused."""

    milliseconds: float
    answer: str
    refused: bool
    by: str
    removed_citations: list[RemovedCitation]
    notes: list[str]


class Attributed(BaseModel):
    """Stage `attribute`: the answer's claims with what supports them."""

    milliseconds: float
    claims: list[Claim]


class Done(BaseModel):
    """Stage `done`: the whole answer, and how long all took."""

    milliseconds: float
    reply: Answer


StageEvent = Embedded | Routed | Candidates | Judged | Wrote | Answered | Attributed | Done


def on_the_wire(event: events.Event, point: Point) -> StageEvent:
    """An event of the pipeline as the stream sends it; `point` is the question's place on the plane."""
    took = round(event.milliseconds, 3)
    match event:
        case events.Embedded():
            return Embedded(milliseconds=took, point=point)
        case events.Routed():
            return Routed(milliseconds=took, routes=list(event.routes), searched=list(event.searched))
        case events.Retrieved():
            return Candidates(milliseconds=took, candidates=[Found.of(c) for c in event.candidates])
        case events.Reranked():
            return Candidates(milliseconds=took, candidates=[Found.of(c) for c in event.candidates], reranker=event.reranker)
        case events.Judged():
            return Judged(milliseconds=took, judgement=event.judgement, evidence=list(event.evidence))
        case events.Wrote():
            return Wrote(text=event.text)
        case events.Answered():
            return Answered(
                milliseconds=took,
                answer=event.answer,
                refused=event.refused,
                by=event.by,
                removed_citations=list(event.removed_citations),
                notes=[public_note(note) for note in event.notes],
            )
        case events.Attributed():
            return Attributed(milliseconds=took, claims=list(event.claims))
        case events.Done():
            return Done(milliseconds=took, reply=Answer.of(event.reply, point))
    raise TypeError(type(event).__name__)


def public_note(note: str) -> str:
    """A note without the words of a model's provider, which may name a key or an address."""
    known = [text for of_kind in NOTES.values() for text in of_kind.values()]
    return next((text for text in known if note.startswith(text)), "")
