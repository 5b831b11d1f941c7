-- PostgreSQL would clean and analyze a table only after a fifth of its rows changed. In a table of a billion rows that is
-- a hundred days of work at once. These tables are cleaned after one fiftieth; the accounts, which every command
-- changes, after one hundredth.
do $$
declare
  one record;
begin
  for one in
    select oid::regclass as name, relname = 'ledger_account' as is_account
    from pg_catalog.pg_class
    where relnamespace = 'lode'::regnamespace and relkind = 'r'
      and relname ~ '^(ledger_account|ledger_transaction|posting_|log_line|log_closing|ledger_day_sum|command|member|session|pay_order|pledge|payout|reward|share_payment)'
  loop
    execute format(
      'alter table %s set (autovacuum_vacuum_scale_factor = %s, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)',
      one.name, case when one.is_account then 0.01 else 0.02 end);
  end loop;
end
$$;
