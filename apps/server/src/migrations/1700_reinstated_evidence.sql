-- The vault accepts a Bitcoin output once. If it was named by mistake, the administrator can reinstate it after notice, and
-- then it is named again: a second funding with the same output. The vault decides whether that is allowed, so the ledger
-- stores both.
alter table lode.dividend_funding drop constraint dividend_funding_bitcoin_txid_bitcoin_output_key;
create index on lode.dividend_funding (bitcoin_txid, bitcoin_output);
