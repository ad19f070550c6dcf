"""A parsed section as the JSON object that `lawrag parse` prints, one a line. Field names and order are the contract's."""

import json

from lawrag_assets.laws.model import Law, Section, Subsection


def section_as_json(section: Section) -> dict[str, object]:
    """The section as plain values: see `model` for what each field means. Offsets stay with the Parquet table."""
    return {
        "law": section.law,
        "slug": section.slug,
        "section_id": section.section_id,
        "citation": section.citation,
        "designation": section.designation,
        "heading": section.heading,
        "kind": section.kind,
        "hierarchy": [{"label": level.label, "title": level.title} for level in section.hierarchy],
        "status": section.status.value,
        "status_evidence": section.status_evidence,
        "text": section.text,
        "subsections": [_subsection(subsection) for subsection in section.subsections],
        "references": [{"text": reference.text, "targets": list(reference.targets)} for reference in section.references],
        "notes": list(section.notes),
    }


def json_lines(law: Law) -> str:
    """All sections of a law as JSON Lines, each line ended by a line feed; characters outside ASCII stay as they are."""
    return "".join(json.dumps(section_as_json(section), ensure_ascii=False) + "\n" for section in law.sections)


def _subsection(subsection: Subsection) -> dict[str, object]:
    return {
        "label": subsection.label,
        "citation": subsection.citation,
        "status": subsection.status.value,
        "text": subsection.text,
        "sentences": [{"number": s.number, "citation": s.citation, "text": s.text} for s in subsection.sentences],
    }
