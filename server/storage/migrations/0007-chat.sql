-- Questions to the assistant by day.

create table chat_days (
  day text primary key,
  requests bigint not null check (requests >= 0)
);
