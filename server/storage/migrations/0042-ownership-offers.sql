-- Until when a member can accept the ownership of the account; null where it is not offered.

alter table members add column offer_expires_at bigint;
