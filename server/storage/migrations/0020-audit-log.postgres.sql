-- The audit log: each row has the hash of the row before it in its own. Rows are only added, and deleted from the start.

create table audit_log (
  seq bigint primary key,
  at bigint not null,
  actor text not null,
  event text not null,
  account_id text,
  subject text,
  details text,
  hash text not null
);
create index audit_log_by_account on audit_log (account_id, seq);

-- One row: the newest entry, and the newest that retention has deleted.
create table audit_head (
  id integer primary key check (id = 1),
  seq bigint not null,
  hash text not null,
  deleted_seq bigint not null,
  deleted_hash text not null
);
insert into audit_head (id, seq, hash, deleted_seq, deleted_hash) values (1, 0, '', 0, '');

create function audit_log_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.seq <= (select deleted_seq from audit_head) then return old; end if; raise exception 'The audit log is append-only'; end
$$;
create trigger audit_log_guard before update or delete on audit_log for each row execute function audit_log_guard();
