-- The first signature has place 1. Refuses a further signature on a decision that its first signer has withdrawn. It
-- cannot verify signatures, so somebody with the password of `lode_operator` can store a false withdrawal of a
-- half-signed decision. The commands report it, and `lode operator repair` removes it.
create or replace function lode.refuse_withdrawn() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $refuse$
begin
  -- Nearly no decision is withdrawn, so this is one look into an index.
  if exists (select from lode.decision where subject = 'decision:' || new.decision_id and verb = 'withdraw')
    and exists (select from lode.withdrawals_of(new.decision_id))
  then
    raise exception 'decision % is withdrawn', new.decision_id using errcode = 'LL003';
  end if;
  return new;
end
$refuse$;

create trigger refuse_withdrawn before insert on lode.decision_signature
  for each row when (new.place > 1) execute function lode.refuse_withdrawn();
alter table lode.decision_signature enable always trigger refuse_withdrawn;
