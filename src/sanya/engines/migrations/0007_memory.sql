-- additive
-- The memory suite. Every row belongs to a namespace: those who share one share its memories, and nobody else's are
-- seen. Moments are ISO 8601 UTC with milliseconds and a Z. Nothing here is deleted but by `forget`.

-- `arrival` numbers memories in the order in which they were committed; `episode` is what a memory was part of (a
-- document, a conversation, a day) and `place` its number there. `base_letter`, `base_digit` and `contests` are
-- what the rating is worked out from; `letter` and `digit` are the rating itself.
CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    namespace TEXT NOT NULL,
    arrival INTEGER NOT NULL UNIQUE,
    episode TEXT NOT NULL,
    place INTEGER NOT NULL,
    content TEXT NOT NULL,
    type TEXT NOT NULL,
    dynamic_type TEXT,
    letter TEXT NOT NULL CHECK (letter IN ('A', 'B', 'C', 'D', 'E', 'F')),
    digit INTEGER NOT NULL CHECK (digit BETWEEN 1 AND 6),
    base_letter TEXT NOT NULL CHECK (base_letter IN ('A', 'B', 'C', 'D', 'E', 'F')),
    base_digit INTEGER NOT NULL CHECK (base_digit BETWEEN 1 AND 6),
    contests INTEGER NOT NULL,
    properties TEXT NOT NULL,
    agent_id TEXT,
    created_at TEXT NOT NULL,
    consolidated_at TEXT,
    retired_at TEXT,
    revision INTEGER NOT NULL
) STRICT;

CREATE INDEX memories_by_namespace ON memories (namespace, arrival);

CREATE INDEX memories_by_episode ON memories (namespace, episode, place);

-- What consolidation has still to read.
CREATE INDEX memories_to_consolidate ON memories (arrival) WHERE consolidated_at IS NULL AND retired_at IS NULL;

-- What ranking looks at, made from the content: see recall.
CREATE TABLE memory_traces (
    memory_id TEXT PRIMARY KEY,
    speaker TEXT,
    asks INTEGER NOT NULL CHECK (asks IN (0, 1)),
    length INTEGER NOT NULL,
    keys TEXT NOT NULL
) STRICT;

-- `lineage` says what a source goes back to: two sources of one lineage are one voice.
CREATE TABLE memory_sources (
    id TEXT PRIMARY KEY,
    namespace TEXT NOT NULL,
    type TEXT NOT NULL,
    ref TEXT,
    citation TEXT,
    reliability TEXT NOT NULL CHECK (reliability IN ('A', 'B', 'C', 'D', 'E', 'F')),
    credibility INTEGER NOT NULL CHECK (credibility BETWEEN 1 AND 6),
    lineage TEXT NOT NULL
) STRICT;

CREATE INDEX memory_sources_by_lineage ON memory_sources (namespace, lineage);

CREATE TABLE memory_provenance (
    memory_id TEXT NOT NULL,
    source_id TEXT NOT NULL,
    PRIMARY KEY (memory_id, source_id)
) STRICT;

CREATE INDEX memory_provenance_by_source ON memory_provenance (source_id);

-- What memories speak of. `happened_at` is as much of an ISO 8601 moment as is known, `precision` how much that is.
CREATE TABLE memory_nodes (
    id TEXT PRIMARY KEY,
    namespace TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('agent', 'artifact', 'event', 'claim', 'concept', 'rule')),
    dynamic_type TEXT,
    name TEXT NOT NULL,
    aliases TEXT NOT NULL,
    happened_at TEXT,
    precision TEXT,
    properties TEXT NOT NULL,
    merged_into TEXT
) STRICT;

CREATE INDEX memory_nodes_by_kind ON memory_nodes (namespace, kind, happened_at);

-- Every name and alias of a node, folded as names are compared.
CREATE TABLE memory_names (
    namespace TEXT NOT NULL,
    folded TEXT NOT NULL,
    node_id TEXT NOT NULL,
    PRIMARY KEY (namespace, folded, node_id)
) STRICT;

CREATE INDEX memory_names_by_node ON memory_names (node_id);

-- Relations between nodes and memories, by id. `memory_id` is the memory that says so.
CREATE TABLE memory_edges (
    id TEXT PRIMARY KEY,
    namespace TEXT NOT NULL,
    from_id TEXT NOT NULL,
    relation TEXT NOT NULL,
    to_id TEXT NOT NULL,
    role TEXT,
    letter TEXT NOT NULL CHECK (letter IN ('A', 'B', 'C', 'D', 'E', 'F')),
    digit INTEGER NOT NULL CHECK (digit BETWEEN 1 AND 6),
    memory_id TEXT,
    properties TEXT NOT NULL
) STRICT;

CREATE INDEX memory_edges_out ON memory_edges (namespace, from_id, relation);

CREATE INDEX memory_edges_in ON memory_edges (namespace, to_id, relation);

CREATE INDEX memory_edges_by_memory ON memory_edges (memory_id);

-- `memory_id` is the later of the two that contradict each other.
CREATE TABLE memory_contradictions (
    id TEXT PRIMARY KEY,
    namespace TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    other_id TEXT NOT NULL,
    nature TEXT NOT NULL CHECK (
        nature IN ('temporal_impossibility', 'factual_conflict', 'source_disagreement', 'logical_inconsistency')
    ),
    resolution_status TEXT NOT NULL CHECK (resolution_status IN ('unresolved', 'resolved', 'dismissed')),
    detected_at TEXT NOT NULL,
    UNIQUE (namespace, memory_id, other_id, nature)
) STRICT;

CREATE INDEX memory_contradictions_by_other ON memory_contradictions (namespace, other_id);

-- Every correction, with the rows as they were before and after it, so that it can be undone.
CREATE TABLE memory_corrections (
    id TEXT PRIMARY KEY,
    namespace TEXT NOT NULL,
    target_id TEXT NOT NULL,
    action TEXT NOT NULL,
    payload TEXT NOT NULL,
    caller TEXT NOT NULL,
    changes TEXT NOT NULL,
    created_at TEXT NOT NULL,
    undone_at TEXT,
    revision INTEGER NOT NULL
) STRICT;

CREATE INDEX memory_corrections_by_target ON memory_corrections (namespace, target_id);

-- What was forgotten: that something was, and when, never what.
CREATE TABLE memory_tombstones (
    memory_id TEXT PRIMARY KEY,
    namespace TEXT NOT NULL,
    forgotten_at TEXT NOT NULL
) STRICT;
