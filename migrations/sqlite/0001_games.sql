-- The first schema: games, their seats, and the record of every stage.
--
-- Times are milliseconds since 1970, UTC, given by the server's clock; the database is never asked for the time.
-- Tables are rowid tables with unique indexes: bodies are appended, and the key's index stays small.
-- "secret" marks what no viewer may receive before the rules reveal it.

create table games (
    id              blob primary key,        -- random; carries no time and no order
    scenario        text not null,             -- the scenario's identifier
    scenario_hash   blob not null,          -- SHA-256 of scenario_text
    scenario_text   blob not null,          -- the file as it was (zstd): a game outlives its scenario's later editions
    settings        text not null,             -- JSON: pace, fog, optional rules; the server's, never read in SQL
    ruleset_hash    blob not null,          -- tables and switches stay with a game
    engine_version  text not null,             -- the version that resolves the next stage; changes only between turns
    host_token_hash blob,                   -- who made the game; null in a game that nobody hosts
    status          text not null check (status in ('open', 'resolving', 'held', 'ended')),
    held_reason     text,                      -- for players and host, when held
    line            integer not null,            -- the newest line
    turn            integer not null,            -- with stage: the newest window of that line
    stage           integer not null,
    created_at      integer not null,
    updated_at      integer not null             -- last change of status or window: lists are ordered by it
);

create table lines (
    game       blob not null references games (id),
    line       integer not null,                 -- 1, 2, 3 ...: a rewind starts a new one, the old one stays
    from_turn  integer not null,                 -- the outcome the line starts from
    from_stage integer not null,
    reason     text not null,                  -- public
    started_at integer not null
);
create unique index lines_key on lines (game, line);

create table seats (
    game       blob not null references games (id),
    seat       text not null,                  -- the scenario's identifier of the seat
    side       text not null,
    required   integer not null check (required in (0, 1)), -- 1: a window waits for this seat
    name       text,                           -- the player's, once claimed
    token_hash blob,                        -- SHA-256 of the seat's token; the token itself is kept nowhere
    joined_at  integer
);
create unique index seats_key on seats (game, seat);
-- One player may hold seats in many games by one token, but not two in one game.
create unique index seats_token on seats (token_hash, game);

create table invitations (
    game       blob not null references games (id),
    seat       text not null,
    token_hash blob not null,               -- SHA-256 of the invitation's token
    created_at integer not null,
    used_at    integer                           -- single use: set once, by a guarded update
);
create unique index invitations_token on invitations (token_hash);

create table windows (
    game        blob not null references games (id),
    line        integer not null,
    turn        integer not null,
    stage       integer not null check (stage between 1 and 4),
    opened_at   integer not null,
    deadline    integer,                         -- null: waits for the seats, however long
    closed_at   integer,                         -- set exactly once, by a guarded update
    closed_by   text check (closed_by in ('seals', 'deadline', 'host')),
    resolved_at integer                          -- set with the outcome, in its transaction
);
create unique index windows_key on windows (game, line, turn, stage);
-- What the sweep looks for; both stay as small as the work that is open.
create index windows_due on windows (deadline) where closed_at is null and deadline is not null;
create index windows_unresolved on windows (closed_at) where closed_at is not null and resolved_at is null;

create table drafts (
    game     blob not null references games (id),
    line     integer not null,
    turn     integer not null,
    stage    integer not null,
    seat     text not null,
    body     blob not null,                 -- secret; JSON as received
    revision integer not null,                   -- 1, 2, 3 ...: a save names the revision it replaces
    command  text not null,                    -- the save that made this revision, to know it when it is sent again
    saved_at integer not null
);
create unique index drafts_key on drafts (game, line, turn, stage, seat);

create table envelopes (
    game      blob not null references games (id),
    line      integer not null,
    turn      integer not null,
    stage     integer not null,
    seat      text not null,
    body      blob not null,                -- secret; bytes as received, over which the hash was taken
    nonce     blob not null,                -- secret until the reveal; goes into the turn's dice key
    salt      blob not null,                -- secret until the reveal; makes the hash no dictionary
    hash      blob not null,                -- on the receipt
    source    text not null check (source in ('player', 'deadline')), -- deadline: a draft sealed when time ran out
    command   text not null,                   -- the command that sealed it
    sealed_at integer not null
);
-- A seat seals a stage once.
create unique index envelopes_key on envelopes (game, line, turn, stage, seat);

create table outcomes (
    game           blob not null references games (id),
    line           integer not null,
    number         integer not null,             -- 0, 1, 2 ... without a gap; 0 is the battle as it begins (turn 0, stage 0)
    turn           integer not null,
    stage          integer not null check (stage between 0 and 4),
    battle         blob not null,           -- secret; zstd
    events         blob not null,           -- secret until filtered for a viewer; zstd
    previous_hash  blob not null,           -- the hash of number - 1 (or of what the line starts from; zeros at first)
    hash           blob not null,           -- over previous_hash, key, engine version, battle and events
    engine_version text not null,              -- the version that resolved it
    resolved_at    integer not null
);
-- A stage is resolved once: a second result breaks this key and is dropped.
create unique index outcomes_key on outcomes (game, line, turn, stage);
-- The chain neither forks nor skips.
create unique index outcomes_number on outcomes (game, line, number);

create table seeds (
    game       blob not null references games (id),
    line       integer not null,
    turn       integer not null,
    seed       blob not null,               -- secret until the game ends
    commitment blob not null                -- public before orders are taken
);
create unique index seeds_key on seeds (game, line, turn);

create table commands (
    game    blob not null references games (id),
    seat    text not null,
    command text not null,                     -- the client's identifier
    request blob not null,                  -- SHA-256 of what was asked: one identifier means one thing
    answer  blob not null,                  -- as sent; the seat's own, secret to others
    at      integer not null
);
create unique index commands_key on commands (game, seat, command);

create table results (
    game        blob not null references games (id),
    line        integer not null,
    result      text not null,                 -- JSON, public
    recorded_at integer not null
);
create unique index results_key on results (game, line);
