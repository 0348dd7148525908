-- The first schema: games, their seats, and the record of every stage.
--
-- Times are milliseconds since 1970, UTC, given by the server's clock; the database is never asked for the time.
-- Tables are rowid tables with unique indexes: bodies are appended, and the key's index stays small.
-- "secret" marks what no viewer may receive before the rules reveal it.

create table games (
    id              uuid primary key,        -- random; carries no time and no order
    scenario        text not null,             -- the scenario's identifier
    scenario_hash   bytea not null,          -- SHA-256 of scenario_text
    scenario_text   bytea not null,          -- the file as it was (zstd): a game outlives its scenario's later editions
    settings        text not null,             -- JSON: pace, fog, optional rules; the server's, never read in SQL
    ruleset_hash    bytea not null,          -- tables and switches stay with a game
    engine_version  text not null,             -- the version that resolves the next stage; changes only between turns
    host_token_hash bytea,                   -- who made the game; null in a game that nobody hosts
    status          text not null check (status in ('open', 'resolving', 'held', 'ended')),
    held_reason     text,                      -- for players and host, when held
    line            bigint not null,            -- the newest line
    turn            bigint not null,            -- with stage: the newest window of that line
    stage           bigint not null,
    created_at      bigint not null,
    updated_at      bigint not null             -- last change of status or window: lists are ordered by it
);

create table lines (
    game       uuid not null references games (id),
    line       bigint not null,                 -- 1, 2, 3 ...: a rewind starts a new one, the old one stays
    from_turn  bigint not null,                 -- the outcome the line starts from
    from_stage bigint not null,
    reason     text not null,                  -- public
    started_at bigint not null
);
create unique index lines_key on lines (game, line);

create table seats (
    game       uuid not null references games (id),
    seat       text not null,                  -- the scenario's identifier of the seat
    side       text not null,
    required   bigint not null check (required in (0, 1)), -- 1: a window waits for this seat
    name       text,                           -- the player's, once claimed
    token_hash bytea,                        -- SHA-256 of the seat's token; the token itself is kept nowhere
    joined_at  bigint
);
create unique index seats_key on seats (game, seat);
-- One player may hold seats in many games by one token, but not two in one game.
create unique index seats_token on seats (token_hash, game);

create table invitations (
    game       uuid not null references games (id),
    seat       text not null,
    token_hash bytea not null,               -- SHA-256 of the invitation's token
    created_at bigint not null,
    used_at    bigint                           -- single use: set once, by a guarded update
);
create unique index invitations_token on invitations (token_hash);

create table windows (
    game        uuid not null references games (id),
    line        bigint not null,
    turn        bigint not null,
    stage       bigint not null check (stage between 1 and 4),
    opened_at   bigint not null,
    deadline    bigint,                         -- null: waits for the seats, however long
    closed_at   bigint,                         -- set exactly once, by a guarded update
    closed_by   text check (closed_by in ('seals', 'deadline', 'host')),
    resolved_at bigint                          -- set with the outcome, in its transaction
);
create unique index windows_key on windows (game, line, turn, stage);
-- What the sweep looks for; both stay as small as the work that is open.
create index windows_due on windows (deadline) where closed_at is null and deadline is not null;
create index windows_unresolved on windows (closed_at) where closed_at is not null and resolved_at is null;

create table drafts (
    game     uuid not null references games (id),
    line     bigint not null,
    turn     bigint not null,
    stage    bigint not null,
    seat     text not null,
    body     bytea not null,                 -- secret; JSON as received
    revision bigint not null,                   -- 1, 2, 3 ...: a save names the revision it replaces
    command  text not null,                    -- the save that made this revision, to know it when it is sent again
    saved_at bigint not null
);
create unique index drafts_key on drafts (game, line, turn, stage, seat);

create table envelopes (
    game      uuid not null references games (id),
    line      bigint not null,
    turn      bigint not null,
    stage     bigint not null,
    seat      text not null,
    body      bytea not null,                -- secret; bytes as received, over which the hash was taken
    nonce     bytea not null,                -- secret until the reveal; goes into the turn's dice key
    salt      bytea not null,                -- secret until the reveal; makes the hash no dictionary
    hash      bytea not null,                -- on the receipt
    source    text not null check (source in ('player', 'deadline')), -- deadline: a draft sealed when time ran out
    command   text not null,                   -- the command that sealed it
    sealed_at bigint not null
);
-- A seat seals a stage once.
create unique index envelopes_key on envelopes (game, line, turn, stage, seat);

create table outcomes (
    game           uuid not null references games (id),
    line           bigint not null,
    number         bigint not null,             -- 0, 1, 2 ... without a gap; 0 is the battle as it begins (turn 0, stage 0)
    turn           bigint not null,
    stage          bigint not null check (stage between 0 and 4),
    battle         bytea not null,           -- secret; zstd
    events         bytea not null,           -- secret until filtered for a viewer; zstd
    previous_hash  bytea not null,           -- the hash of number - 1 (or of what the line starts from; zeros at first)
    hash           bytea not null,           -- over previous_hash, key, engine version, battle and events
    engine_version text not null,              -- the version that resolved it
    resolved_at    bigint not null
);
-- A stage is resolved once: a second result breaks this key and is dropped.
create unique index outcomes_key on outcomes (game, line, turn, stage);
-- The chain neither forks nor skips.
create unique index outcomes_number on outcomes (game, line, number);

create table seeds (
    game       uuid not null references games (id),
    line       bigint not null,
    turn       bigint not null,
    seed       bytea not null,               -- secret until the game ends
    commitment bytea not null                -- public before orders are taken
);
create unique index seeds_key on seeds (game, line, turn);

create table commands (
    game    uuid not null references games (id),
    seat    text not null,
    command text not null,                     -- the client's identifier
    request bytea not null,                  -- SHA-256 of what was asked: one identifier means one thing
    answer  bytea not null,                  -- as sent; the seat's own, secret to others
    at      bigint not null
);
create unique index commands_key on commands (game, seat, command);

create table results (
    game        uuid not null references games (id),
    line        bigint not null,
    result      text not null,                 -- JSON, public
    recorded_at bigint not null
);
create unique index results_key on results (game, line);
