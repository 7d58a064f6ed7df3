-- Marketplace subscriptions and events, and the sandbox marketplace.

create table subscriptions (
  id text primary key,
  provider text not null,
  external_id text not null,
  account_id text not null references accounts (id) on delete cascade,
  offer_id text not null,
  plan_id text not null,
  plan_key text not null,
  quantity bigint,
  status text not null,
  free_trial integer not null,
  auto_renew integer not null,
  term_start bigint,
  term_end bigint,
  beneficiary_email text,
  raw text not null,
  created_at bigint not null,
  settled_at bigint,
  last_event_at bigint,
  activating_by text,
  activating_until bigint,
  -- A purchase belongs to one account.
  constraint subscriptions_by_external_id unique (provider, external_id)
);
create index subscriptions_by_account on subscriptions (account_id);

create table marketplace_events (
  id text primary key,
  provider text not null,
  dedupe text not null,
  operation_id text not null,
  external_id text not null,
  action text not null,
  plan_id text,
  outcome text not null,
  received_at bigint not null,
  constraint marketplace_events_once unique (provider, dedupe)
);
create index marketplace_events_by_subscription on marketplace_events (external_id);

create table marketplace_rounds (
  name text primary key,
  due_at bigint not null,
  held_by text,
  held_until bigint
);

create table sandbox_purchases (
  id text primary key,
  token_hash text not null unique,
  token_until bigint not null,
  body text not null,
  created_at bigint not null
);

create table sandbox_operations (
  id text primary key,
  purchase_id text not null references sandbox_purchases (id) on delete cascade,
  body text not null
);
create index sandbox_operations_by_purchase on sandbox_operations (purchase_id);
