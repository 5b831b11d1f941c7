set local role lode_ledger;

-- Whether the cause of a posting is false: the database finds no cause that explains it, or it names a chain log that the
-- signer's nodes of two origins do not have. Only such a posting can be undone.
create or replace function lode.is_false(posted lode.ledger_transaction) returns boolean
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $false$
begin
  return posted.type <> :type.reverse and (
    lode.is_caused(posted) is not true
    -- Of these types nothing but the log is the cause. An order or a payout that was paid by a log is not undone by this.
    or posted.type in (:type.deposit, :type.suspenseDeposit, :type.dividendFunding, :type.reserveFunding, :type.coldMove,
                       :type.coldReturn, :type.burn, :type.writeOff, :type.lossFunding)
       and posted.member = 0 and exists (select from lode.missing_log where key = posted.key));
end
$false$;

revoke execute on function lode.is_false from public;
