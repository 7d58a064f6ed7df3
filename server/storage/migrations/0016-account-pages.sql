-- The browser of a session, and accounts that their owner deleted.

alter table sessions add column user_agent text;
alter table accounts add column erased_at bigint;
