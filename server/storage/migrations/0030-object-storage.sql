-- Scans of objects. The identity of an event is that of the upload, so that a repeated one is no second scan.
create table object_scans (
  scan_id text primary key,
  source text not null,
  identity text unique,
  listing_id text,
  etag text,
  fault text,
  created_at bigint not null
);

create index object_scans_by_time on object_scans (created_at);

-- Lists of objects that `docvet objects` has queued: where the next page begins.
create table object_listings (
  id text primary key,
  source text not null,
  prefix text not null,
  since bigint not null,
  cursor text,
  is_listed integer not null,
  listed bigint not null,
  queued bigint not null,
  created_at bigint not null
);

-- What became of the objects of a list, per process, so that many can count at once.
create table object_counts (
  listing_id text not null,
  shard text not null,
  outcome text not null,
  count bigint not null,
  primary key (listing_id, shard, outcome)
);
