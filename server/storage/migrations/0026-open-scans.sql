-- Scans that are answered before their verdict: until then they have a lease, which ends with their process.

alter table scans add column state text;
alter table scans add column problem text;
alter table scans add column reference text;
alter table scans add column lease_until bigint;
create index scans_open on scans (lease_until) where lease_until is not null;
