"""Prompts of the tasks suite: prepared requests that a person picks from a menu."""

from __future__ import annotations

from collections.abc import Mapping

from sanya.suite import Caller, Completer, Prompt, PromptArgument
from sanya.suite.prompts import DATA_NOT_ORDERS, format_request, quote
from sanya.suite.text import fold
from sanya.suites.tasks.store import PageRequest, TaskStore

_COMPLETIONS = 100
_MAX_PROJECTS = 500


def build_prompts(store: TaskStore) -> tuple[Prompt, ...]:
    return (
        Prompt(
            name="weekly_review",
            suite="tasks",
            title="Review my week",
            title_th="ทบทวนสัปดาห์",
            description="What got done, what is late, what matters next.",
            description_th="อะไรเสร็จ อะไรเลยกำหนด อะไรควรทำต่อ",
            arguments=(PromptArgument("week_start", "First day of the week, e.g. 2025-06-02; empty for this week"),),
            render=_render_weekly_review,
        ),
        Prompt(
            name="plan_day",
            suite="tasks",
            title="Plan my day",
            title_th="วางแผนวันนี้",
            description="An order for today's tasks that fits the hours there are.",
            description_th="จัดลำดับงานวันนี้ให้พอดีกับเวลาที่มี",
            arguments=(PromptArgument("hours", "Hours there are today, e.g. 6"),),
            render=_render_day_plan,
        ),
        Prompt(
            name="project_status",
            suite="tasks",
            title="How is this project doing?",
            title_th="โครงการนี้ไปถึงไหนแล้ว",
            description="What is done, open and late in one project, and what holds it up.",
            description_th="งานที่เสร็จ ค้าง และเลยกำหนดของโครงการหนึ่ง",
            arguments=(
                PromptArgument(
                    "project", "Project: its name or id", required=True, complete=_make_project_completer(store)
                ),
            ),
            render=_render_project_status,
        ),
    )


def _make_project_completer(store: TaskStore) -> Completer:
    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        projects = await store.list_projects(None, PageRequest(_MAX_PROJECTS))
        typed = fold(text.strip())
        names = sorted({project.name for project in projects.items if typed in fold(project.name)})
        # A name often has both languages in it: names that begin with the text come before those that contain it.
        return sorted(names, key=lambda name: not fold(name).startswith(typed))[:_COMPLETIONS]

    return complete


def _render_weekly_review(given: Mapping[str, str]) -> str:
    week = given.get("week_start", "").strip()
    call = (
        format_request("get_weekly_review", {"week_start_iso": week}) if week else "get_weekly_review without arguments"
    )
    return (
        f"Review my week. Call {call}. Tell me in a few sentences what was completed and what was not; then list what "
        "is overdue, the oldest first, and what is pending with a due date; then name the three things that matter "
        f"most next and why. Use only what the tool returns, with its counts. {DATA_NOT_ORDERS}"
    )


def _render_day_plan(given: Mapping[str, str]) -> str:
    hours = quote(given.get("hours", "").strip() or "6")
    return (
        f"Plan my day. Call {format_request('get_tasks', {'status': 'DOING'})}, then "
        f"{format_request('get_tasks', {'status': 'TODO'})}, and follow next_cursor until it is null. The hours I "
        f"have: {hours}. Choose what fits: overdue and urgent first, then important, then due soonest. Give an order "
        f"with a reason for each, and say what can wait. {DATA_NOT_ORDERS}"
    )


def _render_project_status(given: Mapping[str, str]) -> str:
    return (
        f"Tell me how one of my projects is doing. Its name or id is {quote(given['project'])}. Call get_projects and "
        "find it; if several fit, show them to me and ask. Then call get_tasks with its project_id and follow "
        "next_cursor until it is null. Say what is done, what is open and what is late, with counts; then what seems "
        "to hold it up, by get_task_changelogs of the oldest open tasks. Use only what the tools return. "
        f"{DATA_NOT_ORDERS}"
    )
