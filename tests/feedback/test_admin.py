"""What moderators can do, what they can't, and the trail that it leaves."""

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.utils import timezone

from calculators.feedback.models import Action, Feedback, ModerationEvent, Reply, State

pytestmark = pytest.mark.django_db

LIST = "/admin/calculators/feedback/"


@pytest.fixture
def acted(desk):
    """Runs an action of the list on entries, from a list made at a time."""

    def act(action, *chosen, seen=None):
        response = desk.post(
            LIST,
            {
                "action": action,
                "_selected_action": [entry.pk for entry in chosen],
                "seen": (seen or timezone.now()).isoformat(),
            },
        )
        assert response.status_code == 302
        for entry in chosen:
            entry.refresh_from_db()

    return act


@pytest.mark.parametrize(
    ("action", "state", "event"),
    [
        ("approve", State.APPROVED, Action.APPROVED),
        ("reject", State.REJECTED, Action.REJECTED),
        ("mark_as_spam", State.SPAM, Action.SPAM),
    ],
)
def test_decisions_in_bulk_leave_an_event_each(acted, made, action, state, event):
    pending = [made(state=State.PENDING, text=f"Canary {n}") for n in range(3)]
    acted(action, *pending)
    assert {entry.state for entry in pending} == {state}
    events = ModerationEvent.objects.filter(action=event, actor="mia")
    assert {e.reference for e in events} == {entry.reference for entry in pending}
    assert "Canary" not in repr(list(ModerationEvent.objects.values()))


def test_a_decision_that_changes_nothing_leaves_no_event(acted, made):
    acted("approve", made())
    assert not ModerationEvent.objects.exists()


def test_words_changed_since_the_list_was_made_are_not_approved(acted, made):
    read = timezone.now() - timedelta(minutes=1)
    swapped = made(state=State.PENDING)
    honest = made(state=State.PENDING, changed=read - timedelta(minutes=1))
    acted("approve", swapped, honest, seen=read)
    assert (swapped.state, honest.state) == (State.PENDING, State.APPROVED)


def test_erasing_removes_words_for_good_and_keeps_the_rating(acted, made):
    entry = made(text="Secret", name="Ada", rating=4, fingerprint="f" * 64)
    acted("erase_text", entry)
    assert (entry.text, entry.name, entry.fingerprint, entry.rating) == ("", "", "", 4)
    assert ModerationEvent.objects.get().action == Action.ERASED


def test_a_decision_answers_the_reports(acted, made):
    entry = made(reasons="links report-abuse")
    acted("approve", entry)
    assert entry.reasons == "links"
    assert not Feedback.objects.reported().exists()


def test_the_front_page_tells_what_waits(desk, made):
    assert "Nothing is waiting for review." in desk.get("/admin/").content.decode()
    made(state=State.PENDING)
    made(state=State.PENDING)
    made(state=State.SPAM)
    made(reasons="report-spam")
    html = desk.get("/admin/").content.decode()
    assert "2 waiting for review" in html
    assert "1 reported by readers" in html


def listed(desk, query):
    response = desk.get(f"{LIST}?{query}")
    assert response.status_code == 200
    return set(response.context["cl"].queryset)


def test_the_list_can_be_filtered_and_searched(desk, made):
    old = made(created=timezone.now() - timedelta(days=40), state=State.PENDING)
    linked = made(reasons="links rate", kind="praise", name="Ada Byron")
    reported = made(reasons="report-abuse", text="Needle in it")
    fresh = {linked, reported}
    assert listed(desk, "state__exact=pending") == {old}
    assert listed(desk, "kind__exact=praise") == {linked}
    assert listed(desk, f"tool={old.page}") == {old, linked, reported}
    assert listed(desk, "tool=other") == set()
    assert listed(desk, "reason=rate") == {linked}
    assert listed(desk, "reason=report-") == {reported}
    assert listed(desk, "reason=none") == {old}
    assert listed(desk, "age=day") == fresh
    assert listed(desk, "age=older") == {old}
    assert listed(desk, "age=week") == set()
    assert listed(desk, "age=nonsense") == {old, linked, reported}
    assert listed(desk, "q=needle") == {reported}
    assert listed(desk, "q=byron") == {linked}
    assert listed(desk, f"q={old.reference}") == {old}
    flood = {made(sender="f" * 64), made(sender="f" * 64)}
    assert listed(desk, f"q={'f' * 64}") == flood


def test_a_comment_is_shown_as_text_to_moderators_too(desk, made):
    entry = made(text="<script>alert(1)</script>", name="<b>x</b>")
    for path in (LIST, f"{LIST}{entry.pk}/change/"):
        html = desk.get(path).content.decode()
        assert "<script>alert(1)" not in html
        assert "&lt;script&gt;alert(1)" in html


def form_of(entry, **values):
    """What the page of one entry sends, with an answer where ``values`` has one."""
    answer = {f"replies-0-{key}": value for key, value in values.pop("reply", {}).items()}
    return {
        "state": entry.state,
        "seen": timezone.now().isoformat(),
        "replies-TOTAL_FORMS": 1 if answer else 0,
        "replies-INITIAL_FORMS": 1 if answer.get("replies-0-id") else 0,
        **answer,
        **values,
    }


def test_moderators_can_not_rewrite_what_visitors_said(desk, made):
    entry = made(state=State.PENDING, rating=1, name="Ada")
    values = {"text": "Great!", "name": "x", "rating": 5, "kind": "praise", "page": "x"}
    sent = form_of(entry, state="approved", **values)
    assert desk.post(f"{LIST}{entry.pk}/change/", sent).status_code == 302
    entry.refresh_from_db()
    assert (entry.text, entry.name, entry.rating, entry.kind) == ("It rounds.", "Ada", 1, "bug")
    assert entry.state == State.APPROVED
    assert ModerationEvent.objects.get().actor == "mia"


def test_of_an_entry_its_state_alone_can_be_typed_over(desk, made):
    entry = made(rating=1, name="Ada")
    html = desk.get(f"{LIST}{entry.pk}/change/").content.decode()
    fields = re.findall(r'<(?:input|select|textarea)[^>]* name="([^"]+)"', html)
    own = {name for name in fields if not name.startswith(("replies-", "_"))}
    assert own == {"csrfmiddlewaretoken", "state", "seen"}


def test_the_page_of_one_entry_does_not_approve_changed_words_either(desk, made):
    entry = made(state=State.PENDING)
    seen = (timezone.now() - timedelta(minutes=1)).isoformat()
    desk.post(f"{LIST}{entry.pk}/change/", form_of(entry, state="approved", seen=seen))
    entry.refresh_from_db()
    assert entry.state == State.PENDING


def test_answers_are_written_changed_and_removed_with_an_event_each(desk, made):
    entry = made()
    address = f"{LIST}{entry.pk}/change/"
    desk.post(address, form_of(entry, reply={"text": "Canary one.", "feedback": entry.pk}))
    reply = Reply.objects.get()
    assert (reply.text, reply.author) == ("Canary one.", "mia")
    held = {"id": reply.pk, "feedback": entry.pk}
    desk.post(address, form_of(entry, reply={**held, "text": "Canary two."}))
    assert Reply.objects.get().text == "Canary two."
    desk.post(address, form_of(entry, reply={**held, "text": "Canary two.", "DELETE": "on"}))
    assert not Reply.objects.exists()
    actions = list(ModerationEvent.objects.order_by("pk").values_list("action", flat=True))
    assert actions == [Action.REPLIED, Action.REPLY_CHANGED, Action.REPLY_REMOVED]
    kept = repr(list(ModerationEvent.objects.values())) + repr(list(LogEntry.objects.values()))
    assert "Canary" not in kept


@pytest.mark.parametrize(
    "path",
    [
        "auth/user/",
        "auth/user/add/",
        "auth/group/",
        "calculators/feedback/add/",
        "calculators/moderationevent/add/",
        "sessions/session/",
    ],
)
def test_moderators_can_not_touch_accounts_or_make_entries(desk, path):
    assert desk.get(f"/admin/{path}").status_code in (403, 404)
    assert desk.post(f"/admin/{path}", {"username": "x"}).status_code in (403, 404)


def test_moderators_can_not_promote_themselves(desk, moderator):
    address = f"/admin/auth/user/{moderator.pk}/change/"
    assert desk.post(address, {"is_superuser": "on"}).status_code == 403
    moderator.refresh_from_db()
    assert not moderator.is_superuser


def test_nobody_deletes_entries_or_events_in_the_admin(admin_client, made):
    entry = made()
    event = ModerationEvent.objects.create(action=Action.RECEIVED)
    chosen = {"action": "delete_selected", "post": "yes"}
    admin_client.post(LIST, {**chosen, "_selected_action": entry.pk})
    trail = "/admin/calculators/moderationevent/"
    admin_client.post(trail, {**chosen, "_selected_action": event.pk})
    assert admin_client.post(f"{LIST}{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    assert admin_client.post(f"{trail}{event.pk}/delete/", {"post": "yes"}).status_code == 403
    assert admin_client.post(f"{trail}{event.pk}/change/", {"actor": "x"}).status_code == 403
    assert (Feedback.objects.count(), ModerationEvent.objects.count()) == (1, 1)


def test_moderators_read_the_trail(desk, made):
    ModerationEvent.objects.create(action=Action.PURGED, count=7)
    assert "Old spam purged" in desk.get("/admin/calculators/moderationevent/").content.decode()


def test_who_may_only_look_can_not_decide(client, made):
    from django.contrib.auth.models import Permission

    onlooker = User.objects.create_user("onlooker", is_staff=True)
    onlooker.user_permissions.add(Permission.objects.get(codename="view_feedback"))
    client.force_login(onlooker)
    entry = made(state=State.PENDING)
    assert client.get(f"{LIST}{entry.pk}/change/").status_code == 200
    client.post(LIST, {"action": "approve", "_selected_action": entry.pk})
    assert client.post(f"{LIST}{entry.pk}/change/", form_of(entry)).status_code == 403
    entry.refresh_from_db()
    assert entry.state == State.PENDING


def test_the_group_can_do_nothing_but_moderate():
    group = Group.objects.get(name="Moderators")
    assert set(group.permissions.values_list("codename", flat=True)) == {
        *("view_feedback", "change_feedback", "view_moderationevent"),
        *("view_reply", "add_reply", "change_reply", "delete_reply"),
    }


@pytest.mark.django_db(transaction=True)
def test_the_group_is_there_again_once_the_tables_were_emptied():
    call_command("flush", interactive=False, verbosity=0)
    assert Group.objects.get(name="Moderators").permissions.count() == 7


@pytest.mark.django_db(transaction=True)
def test_an_owners_own_idea_of_the_group_is_kept():
    group = Group.objects.get(name="Moderators")
    group.permissions.clear()
    call_command("migrate", verbosity=0)
    assert not group.permissions.exists()


def test_the_trail_outlives_the_entry_and_the_account(acted, made, moderator):
    entry = made(state=State.PENDING)
    acted("approve", entry)
    entry.delete()
    moderator.delete()
    event = ModerationEvent.objects.get()
    assert (event.actor, event.reference) == ("mia", entry.reference)


def test_the_admin_keeps_djangos_own_protection_against_other_sites(moderator, made):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(moderator)
    entry = made(state=State.PENDING)
    response = strict.post(LIST, {"action": "approve", "_selected_action": entry.pk})
    assert response.status_code == 403


def test_the_list_has_room_for_its_columns_and_tells_all_that_matters(desk, made):
    made(reasons="links rate", name="Ada", text="Needle in it", rating=4, state=State.PENDING)
    html = desk.get(LIST).content.decode()
    columns = re.findall(r"[ \"]column-(\w+)", html)
    assert columns == ["reference", "comment", "about", "state", "why", "age"]
    for told in ("Ada: Needle in it", "Bug, 4 of 5", "Waiting for review", "Has links", "0 min"):
        assert told in html


def test_of_a_sender_so_much_is_shown_as_tells_senders_apart(desk, made):
    entry = made(sender="0123456789abcdef" * 4)
    html = desk.get(f"{LIST}{entry.pk}/change/").content.decode()
    assert "01234567: a hash of the network" in html
    assert "0123456789" not in html
    assert "/change/" in desk.get(LIST, {"q": "01234567"}).content.decode()
