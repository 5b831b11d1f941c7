-- The signer counts the final burns: the next burn gets the next number as its id.
grant select on lode.chain_burn to lode_signer;
