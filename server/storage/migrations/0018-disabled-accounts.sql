-- Accounts that the operator has disabled.

alter table accounts add column disabled_at bigint;
