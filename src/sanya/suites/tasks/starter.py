"""Sample tasks, so that every tool has something to show on the first day. The first import removes them.

A sample is recognised by its changelog: changelog ids are always ours, but a source chooses the ids of its tasks.
"""

from __future__ import annotations

from typing import NamedTuple

from sanya.suite.store import Database, Transaction, Value, advance_revision, take_back_revision
from sanya.suites.tasks.search import fold_texts

SAMPLE_PREFIX = "sample-"
FIRST_SAMPLE = "sample-sales-report"
_SHOP = "sample-project-shop"
_HOME = "sample-project-home"


class _Sample(NamedTuple):
    """`changes` are (timestamp, field, old value, new value); the last of each field agrees with the row."""

    id: str
    title: str
    description: str | None
    notes: str | None
    project: str | None
    status: str
    priority: str
    important: bool
    due_at: str | None
    recurrence: str
    created_at: str
    changes: tuple[tuple[str, str, str | None, str | None], ...] = ()


_PROJECTS: tuple[tuple[Value, ...], ...] = (
    (_SHOP, "ร้านกาแฟ (Coffee shop)", "Opening the second branch", "#0F766E", "ACTIVE", "2025-04-29T02:00:00.000Z"),
    (_HOME, "บ้าน (Home)", None, "#B45309", "ACTIVE", "2025-04-30T03:30:00.000Z"),
    ("sample-project-menu", "Rainy season menu", None, "#7C3AED", "COMPLETED", "2025-05-01T01:15:00.000Z"),
)

_TASKS = (
    _Sample(
        "sample-sales-report", "สรุปรายงานยอดขายเดือนพฤษภาคม", "Monthly sales report for the partners", None, _SHOP,
        "DONE", "NORMAL", True, "2025-06-06T10:00:00.000Z", "MONTHLY", "2025-05-26T02:00:00.000Z",
        (
            ("2025-06-03T03:00:00.000Z", "status", "TODO", "DOING"),
            ("2025-06-04T02:30:00.000Z", "due_at", "2025-06-04T10:00:00.000Z", "2025-06-06T10:00:00.000Z"),
            ("2025-06-05T08:45:00.000Z", "status", "DOING", "DONE"),
        ),
    ),
    _Sample(
        "sample-health-permit", "ต่อใบอนุญาตสาธารณสุข", "ยื่นที่สำนักงานเขต", "- สำเนาทะเบียนบ้าน\n- แผนที่ร้าน", _SHOP,
        "TODO", "URGENT", True, "2025-06-04T09:00:00.000Z", "YEARLY", "2025-05-19T04:00:00.000Z",
    ),
    _Sample(
        "sample-hire-barista", "Hire a barista for the evening shift", None, "Ask Nok for a reference", _SHOP,
        "DOING", "NORMAL", False, "2025-06-30T16:59:59.999Z", "NONE", "2025-06-02T06:20:00.000Z",
        (("2025-06-06T04:10:00.000Z", "status", "TODO", "DOING"),),
    ),
    _Sample(
        "sample-order-beans", "สั่งเมล็ดกาแฟจากเชียงราย", "20 กิโลกรัม คั่วกลาง", None, _SHOP,
        "TODO", "NORMAL", False, "2025-06-07T05:00:00.000Z", "FREQ=WEEKLY;INTERVAL=2", "2025-06-03T01:00:00.000Z",
    ),
    _Sample(
        "sample-tax-report", "Send the VAT report (ภ.พ.30)", "Form and receipts are with the accountant", None, _SHOP,
        "DONE", "URGENT", False, "2025-06-15T16:59:59.999Z", "MONTHLY", "2025-05-29T02:00:00.000Z",
        (("2025-06-10T07:00:00.000Z", "status", "TODO", "DONE"),),
    ),
    _Sample(
        "sample-fix-tap", "ซ่อมก๊อกน้ำในครัว", None, None, _HOME,
        "DONE", "LOW", False, None, "NONE", "2025-05-31T11:00:00.000Z",
        (("2025-06-07T09:30:00.000Z", "status", "TODO", "DONE"),),
    ),
    _Sample(
        "sample-water-plants", "Water the plants", None, None, _HOME,
        "TODO", "LOW", False, None, "FREQ=DAILY;INTERVAL=3", "2025-06-05T23:00:00.000Z",
    ),
    _Sample(
        "sample-old-sofa", "Give away the old sofa", "Ask the neighbours first", None, _HOME,
        "ARCHIVED", "LOW", False, None, "NONE", "2025-05-10T05:00:00.000Z",
        (("2025-06-09T05:00:00.000Z", "status", "TODO", "ARCHIVED"),),
    ),
)  # fmt: skip


async def load_starter(database: Database) -> bool:
    """Write the samples into a home without tasks; return whether it did."""
    if await database.fetch("SELECT 1 FROM tasks LIMIT 1", touches=1):
        return False
    async with database.transaction() as transaction:
        revision = await advance_revision(transaction, "tasks")
        # Check again under the lock: another process may have been first.
        if await transaction.fetch("SELECT 1 FROM tasks LIMIT 1"):
            await take_back_revision(transaction, "tasks")
            return False
        await _write(transaction, revision)
    return True


async def remove_starter(transaction: Transaction) -> int:
    """Remove the samples and return how many there were."""
    removed = await transaction.execute(
        "DELETE FROM tasks WHERE id IN (SELECT task_id FROM task_changelogs WHERE id LIKE 'sample-%')"
    )
    if removed:
        await transaction.execute("DELETE FROM task_changelogs WHERE id LIKE 'sample-%'")
        await transaction.execute("DELETE FROM projects WHERE id LIKE 'sample-project-%'")
    return removed


async def _write(transaction: Transaction, revision: int) -> None:
    await transaction.execute_many(
        "INSERT INTO projects (id, name, description, color, status, created_at, updated_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(*project, project[-1]) for project in _PROJECTS],
    )
    await transaction.execute_many(
        "INSERT INTO tasks (id, title, description, notes_markdown, project_id, status, priority, is_important, "
        "due_at, remind_at, recurrence, created_at, updated_at, folded) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?)",
        [_to_task_row(sample) for sample in _TASKS],
    )
    await transaction.execute_many(
        "INSERT INTO task_changelogs (id, task_id, action, field_name, old_value, new_value, created_at, revision) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(*row, revision) for sample in _TASKS for row in _to_log_rows(sample)],
    )


def _to_task_row(sample: _Sample) -> tuple[Value, ...]:
    updated_at = max([sample.created_at, *(change[0] for change in sample.changes)])
    folded = fold_texts(sample.title, sample.description, sample.notes)
    return (*sample[:7], int(sample.important), sample.due_at, sample.recurrence, sample.created_at, updated_at, folded)


def _to_log_rows(sample: _Sample) -> list[tuple[Value, ...]]:
    rows: list[tuple[Value, ...]] = [(f"{sample.id}-0", sample.id, "CREATED", None, None, None, sample.created_at)]
    for number, (timestamp, field, old, new) in enumerate(sample.changes, start=1):
        action = "STATUS_CHANGED" if field == "status" else "UPDATED"
        rows.append((f"{sample.id}-{number}", sample.id, action, field, old, new, timestamp))
    return rows
