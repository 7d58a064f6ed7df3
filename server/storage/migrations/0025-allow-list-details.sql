-- What was allowed, why it was reported, and who allowed it.

alter table allowed_documents add column scan_id text;
alter table allowed_documents add column file_name text;
alter table allowed_documents add column threat text;
alter table allowed_documents add column allowed_by text;
