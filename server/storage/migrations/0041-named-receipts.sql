-- A second signature, of the statement with the name of the file. Null: there is no name, or an older version has signed.

alter table scan_receipts add column named_signature text;
