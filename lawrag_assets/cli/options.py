"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

StorageOption = Annotated[
    Path | None,
    typer.Option("--storage", metavar="DIR", help="Where everything made is kept (LAWRAG_STORAGE).", show_default=False),
]
ProfileOption = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="NAME", help="Laws, questions and models that belong together (LAWRAG_PROFILE).", show_default=False
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
CellOption = Annotated[str, typer.Option("--cell", metavar="BASE_UNIT/STRATEGY", help="The index to search.")]
AnsweringModelOption = Annotated[
    str | None,
    typer.Option("--llm", metavar="NAME", help="The language model that answers; `extractive` quotes (LAWRAG_LLM)."),
]
AnsweringModelBaseOption = Annotated[
    str | None, typer.Option("--llm-api-base", metavar="URL", help="Where it is served (LAWRAG_LLM_API_BASE).")
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="FIELD=COLUMN,…",
        help="Which column of a Parquet file holds which field, as question=text,gold=paragraphs (LAWRAG_QUESTION_COLUMNS).",
        show_default=False,
    ),
]
