-- Work left after a marketplace call: subscriptions to recheck, and operations to answer.

alter table subscriptions add column recheck_at bigint;
alter table marketplace_events add column answer text;
alter table marketplace_events add column answer_at bigint;
alter table marketplace_events add column answer_attempts integer not null default 0;
create index subscriptions_by_recheck on subscriptions (recheck_at) where recheck_at is not null;
create index marketplace_events_by_answer on marketplace_events (answer_at) where answer_at is not null;
-- Activations in doubt when the service was updated.
update subscriptions set recheck_at = 0 where activating_by is not null
