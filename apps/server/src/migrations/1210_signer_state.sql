-- What the signer tells of itself, in one row that the signer alone writes. The api and the command line read it, so that they
-- promise nothing that this signer does not do. docs/operations.md says what it is shown for.

create table lode.signer_state (
  only_row boolean primary key default true check (only_row),
  -- The link of the operators' chain that it pins (OPERATORS_CEREMONY). Null: it pins none, and obeys no approval and no resume.
  ceremony bytea check (octet_length(ceremony) = 32),
  -- When it last told so: every few seconds while it runs.
  seen_at timestamptz not null
) with (fillfactor = 60);

grant select on lode.signer_state to lode_api, lode_worker, lode_operator;
grant select, insert, update on lode.signer_state to lode_signer;

-- The signer asks every few seconds what was signed lately, to look at those transfers at once.
create index decision_signature_by_time on lode.decision_signature (at);
