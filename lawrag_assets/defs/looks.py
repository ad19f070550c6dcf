"""When the laws were last compared with their source: the asset `law_source`, whose freshness the UI shows.

`law_xml` is materialized when a law has changed, which may be years apart, so its age says nothing. Each look at the source in which
every law could be read is recorded here instead.
"""

from datetime import UTC, datetime, timedelta

import dagster as dg

from lawrag_assets.defs.laws import GROUP, OWNERS

WARN_AFTER, FAIL_AFTER = timedelta(days=2), timedelta(days=7)

law_source = dg.AssetSpec(
    "law_source",
    group_name=GROUP,
    owners=OWNERS,
    kinds={"xml"},
    description="The site or folder that serves the laws. Recorded whenever all of the profile's laws could be read there, changed or "
    "not; its freshness tells how long ago that was.",
    freshness_policy=dg.FreshnessPolicy.time_window(fail_window=FAIL_AFTER, warn_window=WARN_AFTER),
)


def record_look(instance: dg.DagsterInstance, location: str, laws: dict[str, str]) -> None:
    """Record that the source has just been read; `laws` holds the sha256 of each law's XML there."""
    instance.report_runless_asset_event(
        dg.AssetMaterialization(
            law_source.key, metadata={"source": location, "laws": len(laws), "content": dg.MetadataValue.json(laws)}
        )
    )


def last_look(instance: dg.DagsterInstance) -> datetime | None:
    """When the source was last read; None if it never was."""
    event = instance.get_latest_materialization_event(law_source.key)
    return datetime.fromtimestamp(event.timestamp, UTC) if event else None
