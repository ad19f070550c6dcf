"""What is decided from what a source says: alone, with no source, clock or Dagster."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.laws.watch import LONGEST_WAIT, Content, Current, Decision, Failed, Found, Known, Same, decide

INTERVAL = 120.0
OLD, NEW = Content("old", "20240816214510"), Content("new", "20250206223011")


def one(reading=None, *, known=None, built=None, contents=None, now=1e6) -> Decision:
    """The decision about a profile of one law."""
    current = Current({"bgb": reading} if reading else {}, contents)
    return decide({"bgb": known or Known()}, current, {"bgb": built} if built else {}, laws=["bgb"], now=now, interval=INTERVAL)


def test_another_content_than_the_built_one_is_asked_for_once():
    first = one(Found(NEW, "etag"), built=OLD)
    assert first.requests == {"bgb": NEW}
    again = one(Same(), known=first.known["bgb"], built=OLD)
    assert again.requests == {}
    assert again.notes == {"bgb": "being built, or its run failed"}
    built = one(Same(), known=again.known["bgb"], built=NEW)
    assert (built.requests, built.notes) == ({}, {})


def test_a_request_that_led_to_nothing_is_repeated():
    known = one(Found(NEW, "etag"), built=OLD, now=0).known["bgb"]
    assert one(Same(), known=known, built=OLD, now=LONGEST_WAIT + 1).requests == {"bgb": NEW}


def test_a_law_that_changes_back_is_a_change():
    known = one(Found(NEW, "1"), built=OLD).known["bgb"]
    back = Content("old", "20250301000000")
    known = one(Found(NEW, "1"), known=known, built=NEW).known["bgb"]
    assert one(Found(back, "2"), known=known, built=NEW).requests == {"bgb": back}
    text_as_before = one(Found(replace(OLD, build=""), "2"), known=known, built=NEW)
    assert text_as_before.requests == {"bgb": replace(OLD, build="")}


def test_an_older_build_leaves_the_index_as_it_is_and_says_why():
    decision = one(Found(OLD, "etag"), built=NEW)
    assert decision.requests == {}
    assert "2024-08-16, older than that of 2025-02-06" in decision.notes["bgb"]


def test_a_law_that_was_never_built_is_asked_for():
    assert one(Found(NEW)).requests == {"bgb": NEW}


def test_failures_wait_longer_and_longer_and_change_nothing():
    known = Known(content=NEW, mark="etag")
    waits = []
    for _ in range(8):
        decision = one(Failed("HTTP 500"), known=known, built=NEW, now=0)
        assert decision.requests == {}
        assert decision.notes == {"bgb": "HTTP 500"}
        known = decision.known["bgb"]
        waits.append(known.due)
    assert waits == [240, 480, 960, 1920, 3600, 3600, 3600, 3600]
    assert one(Failed("HTTP 429", wait=9000), known=known, now=0).known["bgb"].due == 9000
    recovered = one(Same(), known=known, built=NEW, now=0)
    assert recovered.notes == {}
    assert recovered.known["bgb"].due == INTERVAL


def test_a_source_without_marks_is_asked_seldom():
    assert one(Found(NEW, ""), built=NEW, now=0).known["bgb"].due == LONGEST_WAIT


def test_a_law_that_vanishes_from_the_contents_is_kept_and_one_that_appears_is_looked_at_at_once():
    gone = one(Failed("HTTP 404"), known=Known(content=NEW), built=NEW, contents=frozenset({"agg"}), now=0)
    assert gone.requests == {}
    assert "no longer in the source's table of contents; its index stays" in gone.notes["bgb"]
    assert gone.known["bgb"].due > 0
    there_again = one(known=gone.known["bgb"], built=NEW, contents=frozenset({"agg", "bgb"}), now=1)
    assert there_again.known["bgb"].due == 0


CONTENTS = st.builds(Content, st.sampled_from(["a", "b", "c"]), st.sampled_from(["", "20240101", "20250101", "20260101"]))
READINGS = st.one_of(
    st.just(Same()),
    st.builds(Found, CONTENTS, st.sampled_from(["", "mark"])),
    st.builds(Failed, st.just("trouble"), st.floats(0, 1e5)),
)
LAWS = ["x", "y"]


@given(st.lists(st.tuples(st.dictionaries(st.sampled_from([*LAWS, "z"]), READINGS), st.booleans()), max_size=12))
def test_whatever_a_source_says(looks):
    """Only laws of the profile are asked for, only what the source had, never the built content or an older one, nothing on a failure;
    and the state stays small."""
    known: dict[str, Known] = {}
    built: dict[str, Content] = {}
    had: dict[str, set[Content]] = {law: set() for law in LAWS}
    for number, (readings, succeeds) in enumerate(looks):
        for law in LAWS:
            if isinstance(reading := readings.get(law), Found):
                had[law].add(reading.content)
        decision = decide(known, Current(readings), built, laws=LAWS, now=number * 600.0, interval=INTERVAL)
        assert decision.known.keys() == set(LAWS)
        for law, content in decision.requests.items():
            assert content in had[law]
            assert law not in built or content.sha256 != built[law].sha256
            assert law not in built or not content.build or not built[law].build or content.build >= built[law].build
        assert all(decision.known[law].due > number * 600.0 for law in LAWS if law in readings)
        known = decision.known
        if succeeds:
            built |= decision.requests
