-- A payment, a listed address or a return that only one operator has signed. The second operator types its amount and
-- address, so the role `lode_operator` cannot read them: neither a command nor a person at psql can show them.
-- The functions in modules/operators/functions answer what such a command needs.

alter table lode.decision enable row level security;
create policy decision_of_processes on lode.decision using (true) with check (true);
create policy decision_signed_twice on lode.decision as restrictive for select to lode_operator
  using (
    verb not in ('list', 'pay', 'return')
    or expires_at <= lode.now()
    or (select count(*) from lode.decision_signature as given where given.decision_id = decision.id) >= 2);

create index decision_open on lode.decision (expires_at, verb);
