set local role lode_orders;

-- Inserts the row of an order. The caller freezes the part from the balance, in the same transaction.
create or replace function lode.make_order(
  of_member bigint, by_session uuid, of_id uuid, of_type int, of_plan int, of_asset text, of_amount numeric, of_balance_part numeric,
  quote_minutes int, of_level int, of_power numeric, of_airdrop numeric,
  of_term_days int default null, of_term_weight int default null, of_weight numeric default null
) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $make$
begin
  -- The ledger holds amounts below 2 to the 128th. NaN is refused too, because its scale is null.
  if (scale(of_amount) = 0 and scale(of_balance_part) = 0 and of_amount > 0 and of_balance_part between 0 and of_amount
      and of_amount < 340282366920938463463374607431768211456) is not true then
    raise exception 'an order must be in whole smallest units: balance part %, amount %', of_balance_part, of_amount;
  end if;
  perform from lode.session where id = by_session and member_id = of_member and mode = 'full';
  if not found then return 'session-expired'; end if;
  perform from lode.member where id = of_member and disabled_at is null;
  if not found then return 'account-disabled'; end if;
  if of_plan is distinct from lode.plan_in_force() then return 'plan-changed'; end if;
  if lode.is_sold_by_plan(of_plan, of_type, of_asset, of_amount, quote_minutes, of_level, of_power, of_airdrop,
                          of_term_days, of_term_weight, of_weight) is not true then
    raise exception 'plan % does not sell this', of_plan using errcode = 'insufficient_privilege';
  end if;

  -- The plan was checked above. A foreign key would make every order lock the same plan row.
  insert into lode.pay_order (id, member_id, type, plan_version, asset, amount, balance_part, deadline, level, power, airdrop,
                              term_days, term_weight, weight)
  values (of_id, of_member, of_type, of_plan, of_asset, of_amount, of_balance_part,
          case when of_balance_part < of_amount
               then date_trunc('second', lode.chain_now() + make_interval(mins => quote_minutes)) end,
          of_level, of_power, of_airdrop, of_term_days, of_term_weight, of_weight)
  on conflict (member_id, type) where ended is null do nothing;
  if not found then return 'order-open'; end if;
  -- Checked after the insert. Another order may have bought the level meanwhile: one from the balance is never open, so
  -- the index above does not stop it.
  perform from lode.member where id = of_member and (of_type <> :order.promotion or level + 1 = of_level);
  if not found then
    delete from lode.pay_order where id = of_id;
    return 'level-not-next';
  end if;
  return 'ok';
end
$make$;

revoke execute on function lode.make_order from public;
grant execute on function lode.make_order to lode_api;
