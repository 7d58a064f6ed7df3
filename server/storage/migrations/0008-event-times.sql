-- Event times per attribute of a subscription; raw marketplace responses are dropped.

alter table subscriptions add column status_event_at bigint;
alter table subscriptions add column plan_event_at bigint;
alter table subscriptions add column quantity_event_at bigint;
-- A single time does not tell which attribute an event was about.
alter table subscriptions drop column last_event_at;
alter table subscriptions drop column raw;
