-- Whether a credit of a spread account is divided among its rows; see chart.ts.
alter table lode.ledger_kind add column divides_credits boolean not null default false;
