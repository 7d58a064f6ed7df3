-- Passkeys, the codes that replace lost ones, and answers that were used: a signed challenge works once.

create table passkeys (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  credential_id text not null,
  public_key text not null,
  handle text not null,
  counter bigint not null,
  transports text not null,
  backed_up smallint not null,
  name text not null,
  created_at bigint not null,
  used_at bigint
);

create unique index passkeys_by_credential on passkeys (credential_id);
create index passkeys_by_account on passkeys (account_id);

create table recovery_codes (
  hash text primary key,
  account_id text not null references accounts (id) on delete cascade,
  created_at bigint not null
);

create index recovery_codes_by_account on recovery_codes (account_id);

create table spent_challenges (
  hash text primary key,
  spent_at bigint not null
);

alter table accounts add column passkeys_only_at bigint;
