-- Codes for sign-up by invitation.

create table invites (
  id text primary key,
  hash text not null unique,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  account_id text references accounts (id) on delete set null
);
