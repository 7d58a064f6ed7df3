-- Signed statements about scans, and the public keys that verify them. A key is never deleted.

create table scan_receipts (
  scan_id text primary key references scans (id) on update cascade on delete cascade,
  kid text not null,
  payload text not null,
  signature text not null
);

create table receipt_keys (
  kid text primary key,
  jwk text not null,
  since bigint not null,
  until bigint,
  revoked_at bigint
);
