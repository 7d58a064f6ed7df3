-- Where to fetch the document of a scan that waits for it: encrypted, and deleted when the scan has ended.

create table scan_requests (
  scan_id text primary key references scans (id) on delete cascade,
  kind text not null,
  sealed text not null
);

-- Why a scan failed, in words for its owner.
alter table scans add column problem_detail text;
