set local role lode_protection;

-- Requests an output address. Any address but the member's own wallet needs the text that the wallet signed, and the
-- signature. The database cannot verify the signature: the signer does (record_address_check). If this address waits
-- already, the answer of the first request was lost: it counts, and its time goes on.
create or replace function lode.ask_output_address(
  of_member bigint, by_session uuid, new_address bytea, signed_message text, wallet_signature bytea
) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $ask$
declare
  found_row lode.protection := lode.settle_reset(of_member);
  is_own boolean := new_address = (select account from lode.member where id = of_member);
begin
  if found_row.reset_ends_at is not null then return 'reset-waiting'; end if;
  if found_row.hash is null then return 'fund-password-unset'; end if;
  if exists (select from lode.waiting_output_address(of_member) as waiting where waiting.address = new_address) then
    return 'ok';
  end if;
  if exists (select from lode.waiting_output_address(of_member)) then return 'output-address-waiting'; end if;
  if (select address from lode.bound_output_address(of_member, lode.now())) = new_address then
    return 'output-address-same';
  end if;
  if not is_own and (signed_message is null or wallet_signature is null) then
    raise exception 'the wallet of member % has not signed this output address', of_member;
  end if;
  insert into lode.output_address (member_id, number, address, asked_at, binds_at, message, signature)
  select of_member, coalesce(max(number), 0) + 1, new_address, lode.now(), lode.now() + interval '48 hours',
         case when not is_own then signed_message end, case when not is_own then wallet_signature end
  from lode.output_address where member_id = of_member;
  perform lode.write_security_line(of_member, by_session, 'output-address-asked', new_address, lode.now() + interval '48 hours');
  return 'ok';
end
$ask$;

revoke execute on function lode.ask_output_address from public;
grant execute on function lode.ask_output_address to lode_api;
