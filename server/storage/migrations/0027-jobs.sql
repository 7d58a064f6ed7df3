-- Work that outlives its request. PostgreSQL has an engine of its own for it: there, this table only receives what was moved
-- from SQLite.

create table jobs (
  id text primary key,
  kind text not null,
  data text not null,
  job_key text,
  job_group text,
  created_at bigint not null,
  due_at bigint not null,
  attempts integer not null,
  claimed_by text,
  claimed_until bigint,
  failed_at bigint,
  last_error text
);
create unique index jobs_key on jobs (kind, job_key) where job_key is not null;
create index jobs_due on jobs (kind, due_at, id) where failed_at is null;
create index jobs_claimed on jobs (kind, claimed_until) where claimed_until is not null;
create index jobs_failed on jobs (failed_at) where failed_at is not null;
