-- All findings of a scan, not only the threat.

alter table scans add column findings text;
