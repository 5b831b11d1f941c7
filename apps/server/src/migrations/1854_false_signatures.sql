-- The database transaction that wrote the signature. The role `lode_operator` cannot choose it.
alter table lode.decision_signature add column made_by xid8 not null default pg_current_xact_id();

-- Signatures of the reader's own transaction do not count. Otherwise a reader could store a false one, read the text of a
-- half-signed payment, and roll back.
drop policy decision_signed_twice on lode.decision;
create policy decision_signed_twice on lode.decision as restrictive for select to lode_operator
  using (
    verb not in ('list', 'pay', 'return')
    or expires_at <= lode.now()
    or (select count(*) from lode.decision_signature as given
        where given.decision_id = decision.id and given.made_by is distinct from pg_current_xact_id_if_assigned()) >= 2);

-- Nobody can use the signed line of an earlier look-up again. Lines that exist are left as they are: two of them could
-- have the same signature, and then an index over all lines would stop the migration.
do $unique$
begin
  execute format(
    'create unique index member_look_signature_key on lode.member_look (signature) where id > %s',
    (select coalesce(max(id), 0) from lode.member_look));
end
$unique$;
