set local role lode_ledger;

-- Whether a ledger transaction has its cause, and changes exactly the accounts that the cause says, by exactly these
-- amounts. Its key names the cause and the step, and a key is used once; so a cause explains each of its steps once. The
-- lines of the log that it begins or ends are named after the cause. Otherwise it could end the line of another cause,
-- which then could never end itself.
--
-- Money that comes in from the chain has a log as its cause, which the database cannot see. It checks the key only; the
-- signer looks up every such log before it pays anything (modules/payout/proof.ts).
create or replace function lode.is_caused(posted lode.ledger_transaction) returns boolean
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $caused$
declare
  expected lode.leg[];
  owner bigint;
  line_name text := coalesce(lode.id_of_key(posted.key)::text, posted.key);
  line_type smallint;
begin
  case
    when posted.type in (:type.deposit, :type.suspenseDeposit, :type.reserveFunding, :type.coldMove, :type.coldReturn, :type.burn) then
      return (lode.log_of_key(posted.key)).tx is not null;
    when posted.type = :type.lossFunding then
      -- It fills no more than is missing. The rest of the transfer waits in suspense. Only the signer sees who sent it.
      return (lode.log_of_key(posted.key)).tx is not null and exists (
        select from lode.posting loss
        where loss.member = 0 and loss.transaction = posted.id and (loss.account >> 8) & 63 = :kind.pool:loss
          and (loss.balance_after = 0 or loss.balance_after < 0 and not exists (
            select from lode.posting rest
            where rest.member = 0 and rest.transaction = posted.id and (rest.account >> 8) & 63 = :kind.suspense:address)));
    when posted.type = :type.suspenseCredit then
      -- The registration of the address. All that came from there is credited; the key names that state of the account,
      -- and so does the line of the log.
      return exists (
        select from lode.posting
        join lode.suspense_holder holder on holder.owner = posting.account >> 14
        join lode.member on member.account = holder.address and member.id = posted.member
        join lode.ledger_asset asset on asset.code = (posting.account >> 6) & 3
        where posting.member = 0 and posting.transaction = posted.id and posting.amount < 0 and posting.balance_after = 0
          and posted.key = 'suspense:' || asset.name || ':' || posting.version - 1)
        and not exists (
          select from lode.posting
          join lode.log_line line on line.member = posted.member and line.asset = (posting.account >> 6) & 3 and line.id = posting.line
          where posting.member = posted.member and posting.transaction = posted.id and line.operation <> posted.key);
    when posted.type in (:type.orderReserve, :type.orderRelease) then expected := lode.order_legs(posted);
    when posted.type in (:type.promotionByBalance, :type.promotionPaid) then expected := lode.promotion_legs(posted);
    when posted.type in (:type.pledgeByBalance, :type.pledgePaid, :type.pledgeReturn) then expected := lode.pledge_legs(posted);
    when posted.type in (:type.transferRequest, :type.transferRelease, :type.transferPaid, :type.treasuryPay, :type.treasuryPaid,
                         :type.treasuryUndone, :type.suspenseReturn, :type.suspenseReturnPaid, :type.suspenseReturnUndone) then
      expected := lode.payout_legs(posted);
    when posted.type in (:type.airdropForActive, :type.airdropForPromotion, :type.airdropForAgent, :type.airdropForPartner) then
      expected := lode.airdrop_legs(posted);
    when posted.type in (:type.pointReward, :type.pledgeRest, :type.partnerReward) then expected := lode.share_legs(posted);
    when posted.type in (:type.dividendFunding, :type.dividendClose, :type.partnerClose, :type.partnerUnshared) then
      expected := lode.day_legs(posted);
    when posted.type = :type.agentReward then expected := lode.claim_legs(posted);
    when posted.type in (:type.writeOff, :type.lossFundingByPool) then expected := lode.correction_legs(posted);
    when posted.type = :type.reverse then return lode.is_right_reversal(posted);
    else return false;
  end case;
  if expected is null then return false; end if;
  if posted.type in (:type.promotionPaid, :type.pledgePaid) then
    line_name := lode.order_of_log(posted.key);
  elsif posted.type = :type.transferPaid then
    line_name := lode.payout_of_log(posted.key);
  elsif posted.type in (:type.orderReserve, :type.orderRelease) then
    -- The two kinds of orders are paid in different assets.
    line_type := case (expected[1].account >> 6) & 3 when :asset.USDT then :log.upLevelByBalance else :log.createPledge end;
  end if;
  owner := expected[1].account >> 14;
  if owner > 0 and owner = expected[cardinality(expected)].account >> 14 then
    -- All legs belong to one member. Its postings are in one partition; the chart lets such a type touch nobody else.
    return (
      select array_agg(row(account, amount)::lode.leg order by account) = expected and bool_and(is_named)
      from (
        select posting.account, sum(posting.amount), bool_and((line.operation <> line_name or line.type <> line_type) is not true)
        from lode.posting
        left join lode.log_line line
          on line.member = owner and line.asset = (posting.account >> 6) & 3 and line.id = posting.line
        where posting.member = owner and posting.transaction = posted.id group by 1
      ) changed (account, amount, is_named));
  end if;
  owner := (select max(account >> 14) from unnest(expected));
  if owner > 0 and not (select credits_others from lode.ledger_type where code = posted.type) then
    -- post() lets a transaction of such a type touch one member only, and the pool's own accounts. One that touches another
    -- member instead lacks the legs of this one.
    return (
      select array_agg(row(account, amount)::lode.leg order by account) = expected and bool_and(is_named)
      from (
        select posting.account & -64, sum(posting.amount), bool_and((line.operation <> line_name or line.type <> line_type) is not true)
        from lode.posting
        left join lode.log_line line
          on line.member = owner and line.asset = (posting.account >> 6) & 3 and line.id = posting.line
        where posting.member in (0, owner) and posting.transaction = posted.id group by 1
      ) changed (account, amount, is_named));
  end if;
  return (
    select array_agg(row(account, amount)::lode.leg order by account) = expected and bool_and(is_named)
    from (
      select posting.account & -64, sum(posting.amount), bool_and((line.operation <> line_name or line.type <> line_type) is not true)
      from lode.posting
      left join lode.log_line line
        on line.member = posting.member and line.asset = (posting.account >> 6) & 3 and line.id = posting.line
      where posting.transaction = posted.id group by 1
    ) changed (account, amount, is_named));
end
$caused$;

revoke execute on function lode.is_caused from public;
