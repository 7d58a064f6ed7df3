-- Charged scans by day of the month, in the row that every charge writes.

alter table usage_counters add column days text;
update usage_counters set days = counted.days from (
  select key_id, period, json_group_object(day, scans) as days from (
    select key_id, period, count(*) as scans,
      case when strftime('%Y-%m', charged_at / 1000, 'unixepoch') = period
        then strftime('%d', charged_at / 1000, 'unixepoch')
        else strftime('%d', period || '-01', '+1 month', '-1 day') end as day
    from usage_ledger group by key_id, period, day
  ) as by_day group by key_id, period
) as counted
where usage_counters.key_id = counted.key_id and usage_counters.period = counted.period;
