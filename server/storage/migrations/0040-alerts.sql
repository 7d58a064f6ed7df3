-- Alerts by mail about infected documents: one row per account, and one of the operator, under the name `operator`.
-- Documents that were found before `due_at` are in the mail of that time.

create table alerts (
  account_id text primary key,
  mail integer not null,
  since bigint not null,
  found bigint not null,
  due_at bigint not null
);
