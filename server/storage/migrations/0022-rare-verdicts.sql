-- Threats and refusals are rare: without an index, a list of them reads every scan of the account.

create index scans_not_clean on scans (account_id, id) where verdict <> 'clean';
