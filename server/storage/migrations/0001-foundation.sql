-- Accounts, keys and usage.

create table accounts (
  id text primary key,
  email text not null,
  email_key text not null unique,
  plan text not null,
  created_at bigint not null
);

create table api_keys (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  name text not null,
  hash text not null unique,
  prefix text not null,
  last_four text not null,
  created_at bigint not null,
  revoked_at bigint,
  last_used_at bigint
);
create index api_keys_by_account on api_keys (account_id);

create table usage_counters (
  key_id text not null references api_keys (id) on delete cascade,
  period text not null,
  used bigint not null check (used >= 0),
  reserved bigint not null check (reserved >= 0),
  constraint usage_counters_pk primary key (key_id, period)
);

create table usage_leases (
  replica_id text not null,
  key_id text not null references api_keys (id) on delete cascade,
  period text not null,
  held bigint not null check (held >= 0),
  constraint usage_leases_pk primary key (replica_id, key_id, period)
);

create table usage_ledger (
  scan_id text primary key,
  key_id text not null references api_keys (id) on delete cascade,
  period text not null,
  charged_at bigint not null
);
create index usage_ledger_by_key on usage_ledger (key_id, period);

create table replicas (
  id text primary key,
  seen_at bigint not null
);
