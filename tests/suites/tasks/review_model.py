"""The weekly review a second time, written from its definitions with plain loops, to compare with the real one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from tests.suites.tasks.harness import change, task

Rows = list[dict[str, Any]]

START = datetime(2025, 1, 6, tzinfo=UTC)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def shown(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def review(tasks: Rows, changes: Rows, start: datetime, now: datetime) -> dict[str, Any]:
    end = start + timedelta(days=7)
    period_end = min(now, end)

    def happened(at: str) -> bool:
        return moment(at) <= now and moment(at) < end

    def as_of(row: dict[str, Any], field: str, action: str) -> str | None:
        mine = [change for change in changes if change["task_id"] == row["id"] and change["action"] == action]
        mine = sorted(
            (change for change in mine if change["field_name"] == field),
            key=lambda change: (change["created_at"], change["id"]),
        )
        before = [change for change in mine if happened(change["created_at"])]
        after = [change for change in mine if not happened(change["created_at"])]
        if before and now >= end:
            value = before[-1]["new_value"]
        elif after:
            value = after[0]["old_value"]
        else:
            value = row[field]
        return None if value is None else str(value)

    lists: dict[str, Rows] = {"completed": [], "pending": [], "overdue": []}
    counts = dict.fromkeys(("completed", "created", "pending", "overdue", "carry_over", "due_this_week_open"), 0)
    for row in tasks:
        then = {**row, "status": as_of(row, "status", "STATUS_CHANGED"), "due_at": as_of(row, "due_at", "UPDATED")}
        due = moment(str(then["due_at"])) if then["due_at"] else None
        if any(
            change["task_id"] == row["id"]
            and change["action"] == "STATUS_CHANGED"
            and change["new_value"] == "DONE"
            and change["old_value"] != "DONE"
            and start <= moment(change["created_at"])
            and happened(change["created_at"])
            for change in changes
        ):
            lists["completed"].append(then)
        if not happened(row["created_at"]):
            continue
        counts["created"] += moment(row["created_at"]) >= start
        if then["status"] in ("DONE", "ARCHIVED"):
            continue
        late = due is not None and due < period_end
        lists["overdue" if late else "pending"].append(then)
        counts["carry_over"] += moment(row["created_at"]) < start
        counts["due_this_week_open"] += due is not None and start <= due < end
    for name, rows in lists.items():
        counts[name] = len(rows)
        rows.sort(key=lambda row: (row["updated_at"], row["id"]), reverse=True)
    answer: dict[str, Any] = {f"{name}_count": count for name, count in counts.items()}
    shown_lists = {
        name: [{**row, "is_important": bool(row["is_important"])} for row in rows] for name, rows in lists.items()
    }
    answer |= {f"{name}_tasks": rows for name, rows in shown_lists.items()}
    return answer


HOURS = st.integers(-80, 24 * 16).map(lambda hours: shown(START + timedelta(hours=hours * 3)))
STATUS = st.sampled_from(["TODO", "DOING", "DONE", "ARCHIVED"])


@st.composite
def histories(draw: st.DrawFn, *, whole: bool) -> tuple[Rows, Rows]:
    """Draw tasks and their changes. Where logs are incomplete, some rows changed without an entry."""
    tasks, changes = [], []
    for number in range(draw(st.integers(0, 6))):
        moments = sorted(draw(st.lists(HOURS, min_size=1, max_size=5)))
        status, due = draw(STATUS), draw(st.none() | HOURS)
        for index, moment in enumerate(moments[1:]):
            if draw(st.booleans()):
                new = draw(STATUS)
                changes.append(change(f"c{number}-{index}", f"t{number}", moment, status, new))
                status = new
            else:
                later = draw(st.none() | HOURS)
                fields = {"action": "UPDATED", "field_name": "due_at"}
                changes.append(change(f"c{number}-{index}", f"t{number}", moment, due, later, **fields))
                due = later
        status = status if whole or draw(st.booleans()) else draw(STATUS)
        tasks.append(task(f"t{number}", status=status, due_at=due, created_at=moments[0], updated_at=moments[-1]))
    return tasks, changes
