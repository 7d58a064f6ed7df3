-- Reports of scans by account, with the reported name and type, and documents that were refused.

alter table scans add column account_id text;
alter table scans add column file_name text;
alter table scans add column content_type text;
alter table scans add column obstacle text;
update scans set account_id = (select api_keys.account_id from api_keys where api_keys.id = scans.key_id);
-- No query lists the scans of one key, and every scan writes the index.
drop index scans_by_key;
create index scans_by_account on scans (account_id, id);
