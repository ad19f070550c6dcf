"""Why a run failed, in one line: for the end of `lawrag run`, backfills, alerts and `lawrag doctor`."""

from collections.abc import Iterable

import dagster as dg

UNKNOWN = "see the run in `lawrag ui`"


def reason_of(events: Iterable[dg.DagsterEvent]) -> str:
    """The check that did not pass, or the innermost error of the step that failed first; else what the run itself said."""
    said = UNKNOWN
    failed = ""
    for event in events:
        if event.event_type is dg.DagsterEventType.ASSET_CHECK_EVALUATION:
            evaluation = event.asset_check_evaluation_data
            if not evaluation.passed:
                return f"check {evaluation.check_name}: {evaluation.description or 'not passed'}"
        elif event.event_type is dg.DagsterEventType.STEP_FAILURE and not failed and event.step_failure_data.error is not None:
            error = event.step_failure_data.error
            while error.cause is not None:
                error = error.cause
            if error.cls_name == dg.DagsterExecutionInterruptedError.__name__:
                raise KeyboardInterrupt
            failed = f"{event.step_key}: {' '.join(error.message.split())}"
        elif event.event_type is dg.DagsterEventType.RUN_FAILURE and event.message:
            said = " ".join(event.message.split())
    return failed or said


def reason_of_run(instance: dg.DagsterInstance, run_id: str) -> str:
    """`reason_of` a run that is over."""
    entries = instance.all_logs(
        run_id,
        of_type={
            dg.DagsterEventType.ASSET_CHECK_EVALUATION,
            dg.DagsterEventType.STEP_FAILURE,
            dg.DagsterEventType.RUN_FAILURE,
        },
    )
    try:
        return reason_of(entry.dagster_event for entry in entries if entry.dagster_event)
    except KeyboardInterrupt:
        return "interrupted"
