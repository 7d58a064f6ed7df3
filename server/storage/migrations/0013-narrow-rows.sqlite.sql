-- The rows of every scan in fewer pages: without a separate primary key index, and without an index that no query uses.

create table usage_ledger_new (
  scan_id text primary key,
  key_id text not null references api_keys (id) on delete cascade,
  period text not null,
  charged_at bigint not null
) without rowid;
insert into usage_ledger_new (scan_id, key_id, period, charged_at)
  select scan_id, key_id, period, charged_at from usage_ledger order by scan_id;
drop table usage_ledger;
alter table usage_ledger_new rename to usage_ledger;

create table scans_new (
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
) without rowid;
insert into scans_new
  select id, key_id, verdict, threat, engine, path, sha256, size, type, engines, started_at, finished_at
  from scans order by id;
drop table scans;
alter table scans_new rename to scans;
create index scans_by_key on scans (key_id, finished_at);
