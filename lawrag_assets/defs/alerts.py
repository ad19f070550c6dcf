"""Telling somebody that a run failed: one POST of JSON to the address that LAWRAG_ALERT_URL names. What receives it is the user's own."""

import dagster as dg
import httpx

from lawrag_assets.defs.failures import reason_of_run
from lawrag_assets.settings import Settings

_TRIES = 3


def failure_alert(settings: Settings) -> dg.SensorDefinition:
    """A sensor that reports every failed run of the profile; running where an address is set, else off and harmless."""

    @dg.run_failure_sensor(
        name="alert_on_failure",
        description="Posts every failed run as JSON to LAWRAG_ALERT_URL: what failed, why, of which law, build and cell.",
        default_status=dg.DefaultSensorStatus.RUNNING if settings.alert_url else dg.DefaultSensorStatus.STOPPED,
    )
    def alert_on_failure(context: dg.RunFailureSensorContext) -> None:
        if settings.alert_url:
            post_alert(settings.alert_url, settings.profile, context.instance, context.dagster_run)

    return alert_on_failure


def post_alert(url: str, profile: str, instance: dg.DagsterInstance, run: dg.DagsterRun) -> None:
    """Report a failed run. Raises httpx.HTTPError where the address takes no report; the sensor's tick then shows it."""
    newest = instance.get_run_by_id(run.run_id) or run
    alert = {
        "profile": profile,
        "run": run.run_id,
        "job": run.job_name,
        "partition": newest.tags.get("dagster/partition"),
        "assets": sorted(key.to_user_string() for key in run.asset_selection or ()),
        "reason": reason_of_run(instance, run.run_id),
        **{name: newest.tags.get(f"lawrag/{name}") for name in ("law", "build", "cell")},
    }
    with httpx.Client(transport=httpx.HTTPTransport(retries=_TRIES), timeout=10) as client:
        client.post(url, json=alert).raise_for_status()
