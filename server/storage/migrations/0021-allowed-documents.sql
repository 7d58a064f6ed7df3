-- Documents that an account trusts, by their SHA-256.

create table allowed_documents (
  account_id text not null references accounts (id) on delete cascade,
  sha256 text not null,
  note text,
  created_at bigint not null,
  constraint allowed_documents_pk primary key (account_id, sha256)
);
