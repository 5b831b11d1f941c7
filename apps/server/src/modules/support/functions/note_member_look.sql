-- Writes the line of the trail, also for an address that is no member's. Its number lets look_up_member answer.
create or replace function lode.note_member_look(
  of_address bytea, by_operator bytea, with_note text, body text, with_signature bytea) returns bigint
language sql security definer
set search_path = pg_catalog, pg_temp
as $note$
  insert into lode.member_look (account, operator, note, body, signature)
  values (of_address, by_operator, with_note, body, with_signature) returning id
$note$;

revoke execute on function lode.note_member_look from public;
grant execute on function lode.note_member_look to lode_operator;
