-- Who watches a game without a seat in it: its umpire, and spectators.

create table watch_links (
    game       uuid not null references games (id),
    role       text not null check (role in ('umpire', 'spectator')),
    token_hash bytea not null,               -- SHA-256 of the link's token
    created_at bigint not null
);
create unique index watch_links_token on watch_links (token_hash);

create table watchers (
    game       uuid not null references games (id),
    number     bigint not null,                 -- 1, 2, 3 ... as they came; told to nobody
    role       text not null check (role in ('umpire', 'spectator')),
    name       text not null,
    token_hash bytea not null,               -- SHA-256 of the watcher's token; the token itself is kept nowhere
    joined_at  bigint not null
);
create unique index watchers_key on watchers (game, number);
-- A token has one place in a game; that it has none among the seats either is checked under the game's lock.
create unique index watchers_token on watchers (token_hash, game);
-- A game has one umpire.
create unique index watchers_umpire on watchers (game) where role = 'umpire';
