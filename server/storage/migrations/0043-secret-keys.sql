-- Which keys for stored secrets the running processes have, by the name that their values begin with.

create table secret_keys (
  name text primary key,
  seen_at bigint not null
);
create index webhook_endpoints_by_key on webhook_endpoints (substr(keys, 1, 8));
