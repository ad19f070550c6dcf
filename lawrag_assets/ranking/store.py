"""A ranker as one file: arrays as NumPy writes them, everything else as JSON and LightGBM's own text.

Nothing in it is code: it is read without pickle, so that a file from elsewhere can do no more than rank badly.
"""

import json
import zipfile
from typing import Any

import numpy as np

from lawrag_assets.errors import InputError
from lawrag_assets.files import Place, atomic_path
from lawrag_assets.ranking.features import SectionFacts
from lawrag_assets.ranking.labelled import Labels
from lawrag_assets.ranking.logistic import SectionClassifier
from lawrag_assets.ranking.memory import QuestionMemory
from lawrag_assets.ranking.ranker import Ranker, Remembered
from lawrag_assets.ranking.viewpoint import Viewpoint

FORMAT = "lawrag ranker 2"


def save_ranker(ranker: Ranker, path: Place) -> None:
    """Write the ranker in one step."""
    memory, classifier = ranker.remembered.memory, ranker.remembered.classifier
    maps = ranker.remembered.viewpoint.maps
    says = {
        "format": FORMAT,
        "trained_on": ranker.trained_on,
        "forests": ranker.forests,
        "sections": ranker.sections.ids,
        "labels": memory.labels.sections,
        "maps": list(maps),
    }
    arrays = {
        "says": np.frombuffer(json.dumps(says, ensure_ascii=False).encode(), dtype=np.uint8),
        "chapters": ranker.sections.chapters,
        "lengths": ranker.sections.lengths,
        "label_starts": memory.labels.starts,
        "label_places": memory.labels.places,
        "memory_mean": memory.mean,
        "memory_vectors": memory.vectors,
        "rarity": memory.rarity,
        "words_data": memory.words.data,
        "words_indices": memory.words.indices,
        "words_indptr": memory.words.indptr,
        "classes": classifier.classes,
        "class_components": classifier.components,
        "class_weights": classifier.weights,
        "class_biases": classifier.biases,
        **{f"map_{number}": matrix for number, matrix in enumerate(maps.values())},
    }
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.savez(file, **arrays)


def load_ranker(path: Place) -> Ranker:
    """Read a ranker. Raises InputError for a file that is none."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays: dict[str, Any] = {name: stored[name] for name in stored.files}
        says = json.loads(arrays["says"].tobytes())
        if says["format"] != FORMAT:
            raise InputError(f"{path}: written by another version of this program ({says['format']}); fit it anew")
        return _ranker(says, arrays)
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: no ranker can be read from this file ({error}); fit it anew") from error


def _ranker(says: dict[str, Any], arrays: dict[str, Any]) -> Ranker:
    from scipy.sparse import csr_matrix

    words = (arrays["words_data"], arrays["words_indices"], arrays["words_indptr"])
    memory = QuestionMemory(
        labels=Labels(tuple(says["labels"]), arrays["label_starts"], arrays["label_places"]),
        mean=arrays["memory_mean"],
        vectors=arrays["memory_vectors"],
        rarity=arrays["rarity"],
        words=csr_matrix(words, shape=(len(arrays["memory_vectors"]), len(arrays["rarity"]))),
    )
    classifier = SectionClassifier(arrays["classes"], arrays["class_components"], arrays["class_weights"], arrays["class_biases"])
    viewpoint = Viewpoint(memory.mean, {name: arrays[f"map_{number}"] for number, name in enumerate(says["maps"])})
    facts = SectionFacts(tuple(says["sections"]), arrays["chapters"], arrays["lengths"])
    return Ranker(says["trained_on"], Remembered(memory, classifier, viewpoint), facts, tuple(says["forests"]))
