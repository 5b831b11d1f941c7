-- Whether `lode audit` read only what was new, and a part of the older history.
alter table lode.audit_run add column incremental boolean not null default false;
