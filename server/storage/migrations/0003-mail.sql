-- The mail outbox.

create table mail_outbox (
  id text primary key,
  kind text not null,
  params text not null,
  dedupe text unique,
  created_at bigint not null,
  due_at bigint not null,
  attempts bigint not null,
  claimed_by text,
  claimed_until bigint,
  failed_at bigint,
  last_error text
);
-- Without failed mail, which is never due.
create index mail_outbox_by_due on mail_outbox (due_at) where failed_at is null;
