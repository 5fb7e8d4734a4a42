-- additive
-- The tasks suite. Moments are ISO 8601 UTC with milliseconds and a Z, so that they sort as text.
CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT,
    color TEXT,
    status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'COMPLETED', 'ARCHIVED')),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX projects_by_change ON projects (updated_at, id);

CREATE INDEX projects_by_status ON projects (status, updated_at, id);

-- `folded` is title, description and notes as search compares them.
CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT,
    notes_markdown TEXT,
    project_id TEXT,
    status TEXT NOT NULL CHECK (status IN ('TODO', 'DOING', 'DONE', 'ARCHIVED')),
    priority TEXT NOT NULL CHECK (priority IN ('URGENT', 'NORMAL', 'LOW')),
    is_important INTEGER NOT NULL CHECK (is_important IN (0, 1)),
    due_at TEXT,
    remind_at TEXT,
    recurrence TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    folded TEXT NOT NULL
) STRICT;

-- One index for each way to page, ending in the order of the pages.
CREATE INDEX tasks_by_change ON tasks (updated_at, id);

CREATE INDEX tasks_by_project ON tasks (project_id, updated_at, id);

CREATE INDEX tasks_by_project_and_status ON tasks (project_id, status, updated_at, id);

-- The last two columns spare the weekly review the rows themselves.
CREATE INDEX tasks_by_status ON tasks (status, updated_at, id, due_at, created_at);

-- `revision` is the import that made the entry, `moved_from` where the task stood in the order of pages before it.
CREATE TABLE task_changelogs (
    id TEXT PRIMARY KEY,
    task_id TEXT NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('CREATED', 'UPDATED', 'STATUS_CHANGED')),
    field_name TEXT,
    old_value TEXT,
    new_value TEXT,
    created_at TEXT NOT NULL,
    revision INTEGER NOT NULL,
    moved_from TEXT
) STRICT;

CREATE INDEX task_changelogs_by_task ON task_changelogs (task_id, created_at, id);

CREATE INDEX task_changelogs_by_action ON task_changelogs (action, created_at, task_id);

CREATE INDEX task_changelogs_by_revision ON task_changelogs (revision, task_id, moved_from);
