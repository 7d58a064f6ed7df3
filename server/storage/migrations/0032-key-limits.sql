-- What a key may do, for how long and from where; null without a limit.
alter table api_keys add column scopes text;
alter table api_keys add column expires_at bigint;
alter table api_keys add column allowed_addresses text;
-- Of keys with a limit.
alter table api_keys add column last_used_address text;
-- Of an old secret: the key that has a new one. Both are one key to everything but this table.
alter table api_keys add column rolled_into text;
