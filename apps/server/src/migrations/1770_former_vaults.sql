-- The vaults before the present one, oldest first. What arrives there late still belongs to the pool.
alter table lode.chain_state add column former_vaults bytea[] not null default '{}';
