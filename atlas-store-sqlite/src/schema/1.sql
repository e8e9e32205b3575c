-- Ids are BLOB so that they are compared by their bytes. Tables that hold values keep their rowid:
-- values inside a key's tree make every page of it fat.

-- What was erased at once for its readers and goes row by row: see erase.rs.
-- A life that is doomed has no reader any longer.

CREATE TABLE log (
    pk INTEGER PRIMARY KEY,
    channel BLOB NOT NULL,
    doomed INTEGER NOT NULL DEFAULT 0,
    epoch INTEGER NOT NULL DEFAULT 0,
    sequence INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX log_channel ON log (channel) WHERE doomed = 0;
CREATE INDEX log_doomed ON log (channel) WHERE doomed = 1;

CREATE TABLE message (
    pk INTEGER PRIMARY KEY,
    log INTEGER NOT NULL REFERENCES log (pk),
    source BLOB NOT NULL,
    native BLOB NOT NULL,
    root BLOB NOT NULL,
    sent_at INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    version TEXT NOT NULL,
    forgotten INTEGER NOT NULL DEFAULT 0,
    UNIQUE (log, source, native)
) STRICT;
CREATE INDEX message_reading ON message (log, sent_at, source, native);
CREATE INDEX message_thread ON message (log, source, root, sent_at, native);
CREATE INDEX message_feed ON message (log, sequence);

CREATE TABLE version (
    message INTEGER NOT NULL REFERENCES message (pk) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (message, hash)
) STRICT;

CREATE TABLE partition (
    pk INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    id BLOB NOT NULL,
    doomed INTEGER NOT NULL DEFAULT 0,
    epoch INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 0,
    feed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX partition_id ON partition (kind, id) WHERE doomed = 0;
CREATE INDEX partition_doomed ON partition (kind, id) WHERE doomed = 1;

CREATE TABLE record (
    part INTEGER NOT NULL REFERENCES partition (pk),
    collection BLOB NOT NULL,
    id BLOB NOT NULL,
    revision INTEGER NOT NULL,
    projected INTEGER NOT NULL,
    value BLOB,
    PRIMARY KEY (part, collection, id)
) STRICT;
CREATE INDEX record_feed ON record (part, revision, collection, id) WHERE projected = 1;

-- The digest after each commit that wrote projected records.
CREATE TABLE digest (
    part INTEGER NOT NULL REFERENCES partition (pk),
    revision INTEGER NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (part, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE graph (
    pk INTEGER PRIMARY KEY,
    channel BLOB NOT NULL,
    doomed INTEGER NOT NULL DEFAULT 0,
    epoch INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 0,
    digest TEXT
) STRICT;
CREATE UNIQUE INDEX graph_channel ON graph (channel) WHERE doomed = 0;
CREATE INDEX graph_doomed ON graph (channel) WHERE doomed = 1;

CREATE TABLE entity (
    pk INTEGER PRIMARY KEY,
    graph INTEGER NOT NULL REFERENCES graph (pk),
    collection BLOB NOT NULL,
    origin BLOB NOT NULL,
    id BLOB NOT NULL,
    kind TEXT NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (graph, collection, origin)
) STRICT;
CREATE INDEX entity_id ON entity (graph, id, collection, origin);

CREATE TABLE alias (
    entity INTEGER NOT NULL REFERENCES entity (pk) ON DELETE CASCADE,
    graph INTEGER NOT NULL,
    name BLOB NOT NULL,
    PRIMARY KEY (graph, name, entity)
) STRICT, WITHOUT ROWID;
CREATE INDEX alias_entity ON alias (entity);

CREATE TABLE relation (
    pk INTEGER PRIMARY KEY,
    graph INTEGER NOT NULL REFERENCES graph (pk),
    collection BLOB NOT NULL,
    origin BLOB NOT NULL,
    id BLOB NOT NULL,
    source BLOB NOT NULL,
    target BLOB NOT NULL,
    confidence REAL NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER,
    body BLOB NOT NULL,
    UNIQUE (graph, collection, origin)
) STRICT;
CREATE INDEX relation_source ON relation (graph, source, confidence DESC, id);
CREATE INDEX relation_target ON relation (graph, target, confidence DESC, id);

-- Channels whose words are gone from the tables and may still stand in the write-ahead log.
CREATE TABLE erasing (
    what TEXT NOT NULL,
    id BLOB NOT NULL,
    PRIMARY KEY (what, id)
) STRICT, WITHOUT ROWID;

-- What the store was made with: its embedding space as JSON.
CREATE TABLE made_with (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
