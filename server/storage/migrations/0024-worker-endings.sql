-- Documents that ended workers by their limit of CPU time or memory, by their SHA-256, for all processes and replicas.

create table worker_endings (
  sha256 text not null,
  endings integer not null,
  ended_at bigint not null,
  constraint worker_endings_pk primary key (sha256)
);

create index worker_endings_ended_at on worker_endings (ended_at);
