-- Endpoints that are called when a scan has ended, and the calls of the last week.

create table webhook_endpoints (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  url text not null,
  shown_url text not null,
  events text not null,
  description text,
  keys text not null,
  old_keys text,
  old_keys_until bigint,
  public_key text not null,
  created_at bigint not null,
  disabled_at bigint,
  disabled_by text,
  failing_since bigint
);
create index webhook_endpoints_by_account on webhook_endpoints (account_id, id);

create table webhook_deliveries (
  id text primary key,
  endpoint_id text not null references webhook_endpoints (id) on delete cascade,
  event text not null,
  body text not null,
  state text not null,
  created_at bigint not null,
  attempts integer not null,
  attempted_at bigint,
  status integer,
  duration_ms integer,
  error text
);
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, id);
