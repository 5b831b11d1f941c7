-- Nodes of two origins must agree on every log before it is posted. So nothing is credited on one node's word alone any
-- more, and the sums of such credits are not needed.
drop table lode.chain_single_source;
