-- Before the signer pays, it verifies the signatures of the decision behind each airdrop of an appointment. These columns
-- tell it which decision that is. docs/money-out.md explains it.

set local role lode_orders;
grant select (member_id, decision_id) on lode.sharing_expert to lode_signer;
grant select (member_id, application_id) on lode.partner to lode_signer;
grant select (id, member_id, decision_id) on lode.partner_application to lode_signer;
reset role;
