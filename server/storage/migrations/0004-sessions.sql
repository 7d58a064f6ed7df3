-- Passwords, sessions, reset links, dashboard keys and usage notices.

alter table accounts add column password_hash text;
alter table accounts add column auth_provider text default 'password' not null;
alter table accounts add column attribution text;
alter table api_keys add column dashboard integer default 0 not null;

create table sessions (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  hash text not null unique,
  created_at bigint not null,
  seen_at bigint not null
);
create index sessions_by_account on sessions (account_id, created_at);
create index sessions_by_age on sessions (seen_at);

create table password_resets (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  hash text unique,
  created_at bigint not null
);
create index password_resets_by_account on password_resets (account_id);

create table usage_notices (
  key_id text not null references api_keys (id) on delete cascade,
  period text not null,
  share integer not null,
  constraint usage_notices_pk primary key (key_id, period, share)
);
