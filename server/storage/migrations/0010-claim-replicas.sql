-- The replica of an idempotent request, so that claims of dead ones can be taken over.

alter table idempotency_keys add column replica_id text;
