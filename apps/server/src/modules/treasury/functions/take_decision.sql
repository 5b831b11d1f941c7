set local role lode_payout;

-- Begins to carry out a decision, once: records its outcome and returns its text. The caller does the rest in the same
-- transaction. Returns null if the decision already has an outcome. Only functions call this, never a process. The
-- worker has verified the signatures; this counts them, so that a stolen worker cannot act on a decision of one.
create or replace function lode.take_decision(of_decision bigint, of_verb text, signatures_needed int) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $take$
declare
  decided lode.decision;
begin
  select * into strict decided from lode.decision where id = of_decision;
  if decided.verb <> of_verb or decided.body::jsonb ->> 'verb' is distinct from of_verb
    or decided.body::jsonb ->> 'subject' is distinct from decided.subject
  then
    raise exception 'decision % is no decision to %', of_decision, of_verb using errcode = 'LL003';
  end if;
  if (select count(*) from lode.decision_signature where decision_id = of_decision) < signatures_needed then
    raise exception 'decision % has too few signatures', of_decision using errcode = 'LL003';
  end if;
  if decided.expires_at <= lode.now() then
    raise exception 'decision % has expired', of_decision using errcode = 'LL003';
  end if;
  insert into lode.decision_outcome (decision_id) values (of_decision) on conflict do nothing;
  return case when found then decided.body::jsonb end;
end
$take$;

revoke execute on function lode.take_decision from public;
