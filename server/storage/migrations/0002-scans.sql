-- Scans and idempotency keys.

create table scans (
  id text primary key,
  key_id text not null references api_keys (id) on delete cascade,
  verdict text not null,
  threat text,
  engine text,
  path text,
  sha256 text not null,
  size bigint not null,
  type text not null,
  engines text not null,
  started_at bigint not null,
  finished_at bigint not null
);
create index scans_by_key on scans (key_id, finished_at);

create table idempotency_keys (
  key_id text not null references api_keys (id) on delete cascade,
  hash text not null,
  claim_id text not null,
  claimed_at bigint not null,
  sha256 text,
  response text,
  constraint idempotency_keys_pk primary key (key_id, hash)
);
create index idempotency_keys_by_age on idempotency_keys (claimed_at);
