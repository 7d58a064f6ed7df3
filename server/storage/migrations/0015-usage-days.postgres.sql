-- Charged scans by day of the month, in the row that every charge writes.

alter table usage_counters add column days text;
update usage_counters set days = counted.days from (
  select key_id, period, json_object_agg(day, scans)::text as days from (
    select key_id, period, count(*) as scans,
      case when to_char(to_timestamp(charged_at / 1000) at time zone 'UTC', 'YYYY-MM') = period
        then to_char(to_timestamp(charged_at / 1000) at time zone 'UTC', 'DD')
        else to_char((period || '-01')::date + interval '1 month' - interval '1 day', 'DD') end as day
    from usage_ledger group by 1, 2, 4
  ) as by_day group by key_id, period
) as counted
where usage_counters.key_id = counted.key_id and usage_counters.period = counted.period;
