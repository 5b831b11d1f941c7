set local role lode_orders;

-- authorise_expert, approve_partner and reject_partner return "ok", "done" if this decision was carried out before, or
-- the reason why it cannot be. The caller has locked the member's place and posted the airdrop, in the same
-- transaction.
create or replace function lode.authorise_expert(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $authorise$
declare
  decided record;
  chosen bigint;
  earlier_decision bigint;
  airdrop_amount numeric;
begin
  decided := lode.signed_by_two(of_decision, 'authorise-expert');
  chosen := lode.member_named(decided.body);
  if chosen is null then return 'unknown'; end if;
  select decision_id into earlier_decision from lode.sharing_expert where member_id = chosen;
  if earlier_decision = of_decision then return 'done'; end if;
  if earlier_decision is not null then return 'already'; end if;
  if decided.expired then return 'expired'; end if;
  if lode.plan_in_force(decided.signed_at) is distinct from (decided.body ->> 'planVersion')::int then return 'plan'; end if;
  airdrop_amount := (decided.body ->> 'airdrop')::numeric;
  insert into lode.sharing_expert (member_id, decision_id, plan_version, airdrop, airdrop_paid)
  values (chosen, of_decision, (decided.body ->> 'planVersion')::int, airdrop_amount,
          lode.airdrop_in_books(chosen, 'appointed:expert', :account.reserve:airdrop.BTN, airdrop_amount, true));
  return 'ok';
end
$authorise$;

revoke execute on function lode.authorise_expert from public;
grant execute on function lode.authorise_expert to lode_worker;
