-- Scans of an account in the order in which they ended, for collectors of events.

create index scans_by_account_end on scans (account_id, finished_at, id);
