-- No query uses this index, and every scan writes it.

drop index usage_ledger_by_key;
