-- Of which object a scan was: of several verdicts about the same bytes, the newest one counts.

alter table object_scans add column object text;
create index object_scans_by_object on object_scans (object) where object is not null;
