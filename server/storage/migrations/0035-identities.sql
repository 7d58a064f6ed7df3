-- Ways to sign in without a password: who the person is at a provider. A removed one stays, so that it is not added again by its address.

create table identities (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  provider text not null,
  issuer text not null,
  subject text not null,
  created_at bigint not null,
  used_at bigint not null,
  removed_at bigint
);

create unique index identities_by_subject on identities (issuer, subject);
create index identities_by_account on identities (account_id);

alter table sessions add column provider text;
alter table sessions add column confirmed_at bigint;
