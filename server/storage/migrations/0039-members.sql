-- People who work in the account of another. A removed one stays, so that a provider of sign-in does not add it again.

create table members (
  account_id text not null references accounts (id) on delete cascade,
  member_account_id text not null references accounts (id) on delete cascade,
  role text not null,
  invited_by text,
  created_at bigint not null,
  removed_at bigint,
  primary key (account_id, member_account_id)
);

create index members_by_person on members (member_account_id);

-- The hash is that of the token in the mail, and null until it is sent.
create table member_invitations (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  email text not null,
  email_key text not null,
  role text not null,
  invited_by text not null,
  hash text,
  created_at bigint not null,
  expires_at bigint not null,
  ended_at bigint
);

create unique index member_invitations_by_hash on member_invitations (hash);
create index member_invitations_by_account on member_invitations (account_id, created_at);
create index member_invitations_by_address on member_invitations (email_key);

alter table sessions add column acting_account_id text;
-- The member who knows its secret; null for the owner.
alter table api_keys add column created_by text;
