-- Keys whose scans are counted on another key of the account, and keys for tests.

alter table api_keys add column meter_id text;
alter table api_keys add column test integer default 0 not null;
