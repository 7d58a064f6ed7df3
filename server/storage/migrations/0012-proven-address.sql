-- When the owner of the address first used a mailed link. Until then anyone may have signed up with it.

alter table accounts add column email_proven_at bigint;
