-- The counter of which a scan that waits for its document has reserved a unit.

alter table scan_requests add column meter_id text;
alter table scan_requests add column period text;

-- Of a request that stands for a URL: the SHA-256 of the document that was answered.
alter table idempotency_keys add column document text;
