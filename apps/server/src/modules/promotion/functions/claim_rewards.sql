set local role lode_orders;

-- Marks all waiting Thanksgiving rewards of a member as claimed, and returns their number and sum; nulls if the member
-- is no sharing expert. The caller has locked the member's place, so that none is added meanwhile, and posts the sum to
-- the balance in the same transaction.
create or replace function lode.claim_rewards(of_member bigint, of_operation uuid, out rewards int, out amount numeric)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $claim$
begin
  if not exists (select from lode.sharing_expert where member_id = of_member) then return; end if;
  with claimed as (
    update lode.reward set claimed_at = lode.now()
    where member_id = of_member and type = 'agentReward' and failed is null and claimed_at is null
    returning reward.amount
  )
  select count(*), coalesce(sum(claimed.amount), 0) into rewards, amount from claimed;
  if rewards = 0 then return; end if;
  insert into lode.reward_claim (member_id, operation, amount) values (of_member, of_operation, claim_rewards.amount);
  update lode.promotion_tally set income = income + claim_rewards.amount where member_id = of_member;
end
$claim$;

revoke execute on function lode.claim_rewards from public;
grant execute on function lode.claim_rewards to lode_api, lode_worker;
