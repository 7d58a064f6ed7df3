-- Where an interrupted reconciliation continues.

alter table marketplace_rounds add column after_id text;
