import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction

from calculators.feedback.models import (
    Action,
    AppendOnly,
    Feedback,
    ModerationEvent,
    Reason,
    Reply,
    State,
)
from calculators.models import Feedback as Importable
from calculators.scoring import METRICS


def test_models_are_importable_from_the_application():
    assert Importable is Feedback


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.slug)
def test_every_metric_can_be_commented_on(metric):
    Feedback(page=metric.slug, rating=3, reference="X").clean_fields(exclude=["text"])


@pytest.mark.parametrize("page", ["", "nonsense", "gate"])
def test_what_is_no_metric_can_not(page):
    with pytest.raises(ValidationError):
        Feedback(page=page, rating=3).clean_fields()


def test_a_new_metric_needs_no_migration():
    migrations = Path(__file__).parents[2] / "calculators" / "migrations"
    text = "".join(file.read_text() for file in migrations.glob("*.py"))
    for metric in METRICS:
        assert f"'{metric.slug}'" not in text
        assert f'"{metric.slug}"' not in text


@pytest.mark.django_db
@pytest.mark.parametrize("rating", [0, 6, 32_000])
def test_the_database_itself_refuses_a_rating_outside_1_to_5(made, rating):
    with pytest.raises(IntegrityError), transaction.atomic():
        made(rating=rating)
    entry = made(rating=5)
    with pytest.raises(IntegrityError), transaction.atomic():
        Feedback.objects.filter(pk=entry.pk).update(rating=rating)


@pytest.mark.django_db
@pytest.mark.parametrize("rating", [None, 1, 2, 3, 4, 5])
def test_the_database_takes_ratings_from_1_to_5_and_none(made, rating):
    assert made(rating=rating).pk


def test_no_reason_code_is_a_part_of_another_since_filters_look_for_parts():
    for code in Reason.values:
        assert [other for other in Reason.values if code in other] == [code]


@pytest.fixture
def event(db):
    return ModerationEvent.objects.create(action=Action.RECEIVED, reference="ABC")


def change_and_save(event):
    event.actor = "somebody else"
    event.save()


@pytest.mark.parametrize(
    "attempt",
    [
        change_and_save,
        lambda event: event.delete(),
        lambda event: ModerationEvent.objects.update(actor="x"),
        lambda event: ModerationEvent.objects.filter(pk=event.pk).delete(),
        lambda event: ModerationEvent.objects.all().delete(),
        lambda event: ModerationEvent.objects.bulk_update([event], ["actor"]),
        lambda event: ModerationEvent.objects.update_or_create(pk=event.pk, defaults={}),
        lambda event: ModerationEvent.objects.bulk_create(
            [event], update_conflicts=True, update_fields=["actor"], unique_fields=["id"]
        ),
    ],
)
def test_what_is_in_the_trail_stays_as_it_is(event, attempt):
    with pytest.raises(AppendOnly):
        attempt(event)
    assert ModerationEvent.objects.get().actor == ""


def test_the_trail_has_no_place_for_text():
    kinds = {field.get_internal_type() for field in ModerationEvent._meta.get_fields()}
    assert "TextField" not in kinds
    assert not any(field.is_relation for field in ModerationEvent._meta.get_fields())


def test_what_stands_for_an_entry_in_logs_has_none_of_its_words():
    entry = Feedback(page="x", name="Canary", text="Canary", state=State.PENDING)
    assert "Canary" not in f"{entry}{entry!r}{Reply(feedback=entry, text='Canary')}"


def test_erased_words_do_not_stay_in_the_file(tmp_path):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL's vacuum does that.")
    file = tmp_path / "words.sqlite3"
    with closing(sqlite3.connect(file, isolation_level=None)) as opened:
        opened.execute("PRAGMA secure_delete=OFF")  # some builds of SQLite have it on by themselves
        opened.executescript(connection.settings_dict["OPTIONS"]["init_command"])
        assert opened.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        opened.execute("CREATE TABLE entry (text)")
        opened.execute("INSERT INTO entry VALUES ('canary'), ('another')")
        opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert b"canary" in file.read_bytes()
        opened.execute("DELETE FROM entry WHERE text = 'canary'")
    assert b"canary" not in file.read_bytes()
