-- Failed sign-ins by e-mail address.

create table sign_in_attempts (
  email_hash text primary key,
  count bigint not null check (count >= 0),
  last_at bigint not null
);
create index sign_in_attempts_by_age on sign_in_attempts (last_at);
