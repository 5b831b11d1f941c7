set local role lode_protection;

-- Keeps the first signature that the member's account made with its own key.
create or replace function lode.remember_key(of_member bigint, signed_message text, wallet_signature bytea) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $remember$
  insert into lode.key_proof (member_id, message, signature) values (of_member, signed_message, wallet_signature)
  on conflict do nothing;
$remember$;

revoke execute on function lode.remember_key from public;
grant execute on function lode.remember_key to lode_api;
