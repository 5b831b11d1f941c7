set local role lode_ledger;

-- A phase of lode.post: notes the members whose own address is among these, so that the sweep credits what was put into
-- suspense for them.
create or replace function lode.post_note_members(addresses bytea[]) returns void
language plpgsql
as $note$
begin
  insert into lode.suspense_due (member)
  select member.id from unnest(addresses) given join lode.member on member.account = given
  order by member.id
  on conflict do nothing;
end
$note$;

revoke execute on function lode.post_note_members from public;
