-- Written by chart-sql.ts from chart.ts.

set local role lode_ledger;

delete from lode.ledger_asset;
insert into lode.ledger_asset (code, name) values
  (1, 'USDT'),
  (2, 'BTN'),
  (3, 'BTC');

delete from lode.ledger_log_type;
insert into lode.ledger_log_type (code, name) values
  (1, 'transferIn'),
  (2, 'transferOut'),
  (3, 'upLevelByBalance'),
  (4, 'promotionReward'),
  (5, 'upLevelReward'),
  (6, 'agentReward'),
  (7, 'partnerReward'),
  (8, 'airdropForActive'),
  (9, 'airdropForPromotion'),
  (10, 'airdropForAgent'),
  (11, 'airdropForPartner'),
  (12, 'createPledge'),
  (13, 'pointReward'),
  (14, 'pledgeReturn'),
  (15, 'suspenseCredit'),
  (16, 'reversal');

delete from lode.ledger_kind;
insert into lode.ledger_kind (code, name, holder, assets, floored, stripes, divides_credits, log) values
  (1, 'available', 'member', '{1,2,3}', true, 1, false, 'available'),
  (2, 'frozenOut', 'member', '{1,2,3}', true, 1, false, 'frozen'),
  (3, 'frozenOrder', 'member', '{1,2}', true, 1, false, 'frozen'),
  (4, 'pledged', 'member', '{2}', true, 1, false, null),
  (5, 'agentUnclaimed', 'member', '{1}', true, 1, false, null),
  (8, 'custody:vault', 'system', '{1,2,3}', false, 64, false, null),
  (9, 'custody:cold', 'system', '{1,2,3}', false, 1, false, null),
  (10, 'pool:loss', 'system', '{1,2,3}', false, 1, false, null),
  (12, 'pool:mining', 'system', '{1}', true, 64, false, null),
  (13, 'pool:liquidity', 'system', '{1}', true, 64, false, null),
  (14, 'pool:operations', 'system', '{1,2,3}', true, 64, false, null),
  (15, 'pool:paying', 'system', '{1,2,3}', true, 1, false, null),
  (16, 'reserve:airdrop', 'system', '{2}', true, 64, true, null),
  (17, 'reserve:promotion', 'system', '{2}', true, 64, true, null),
  (18, 'reserve:liquidity', 'system', '{2}', true, 1, false, null),
  (19, 'reserve:mining', 'system', '{2}', true, 1, false, null),
  (20, 'dividend:funded', 'system', '{3}', true, 1, false, null),
  (21, 'dividend:payable', 'system', '{3}', true, 64, true, null),
  (24, 'partner:funded', 'system', '{1}', true, 64, false, null),
  (25, 'partner:payable', 'system', '{1}', true, 1, false, null),
  (28, 'burn:due', 'system', '{2}', true, 1, false, null),
  (32, 'suspense:address', 'suspense', '{1,2,3}', true, 1, false, null),
  (33, 'suspense:returning', 'system', '{1,2,3}', true, 1, false, null);

delete from lode.ledger_type;
insert into lode.ledger_type (code, name, roles, debits, credits, key_space, phase, logs, credits_others, same_address, undoes) values
  (1, 'deposit', '{lode_worker}', '{8}', '{1}', 'chain', 'confirmed', '{1}', false, false, null),
  (2, 'suspenseDeposit', '{lode_worker}', '{8,9}', '{32}', 'chain', null, '{}', false, false, null),
  (3, 'dividendFunding', '{lode_worker}', '{8}', '{20}', 'chain', null, '{}', false, false, null),
  (4, 'reserveFunding', '{lode_worker}', '{8}', '{16,17,18,19}', 'chain', null, '{}', false, false, null),
  (5, 'coldMove', '{lode_worker}', '{9}', '{8}', 'chain', null, '{}', false, false, null),
  (6, 'coldReturn', '{lode_worker}', '{8}', '{9}', 'chain', null, '{}', false, false, null),
  (7, 'burn', '{lode_worker}', '{28}', '{8}', 'chain', null, '{}', false, false, null),
  (10, 'orderReserve', '{lode_api}', '{1}', '{3}', 'member', 'confirming', '{3,12}', false, false, null),
  (11, 'orderRelease', '{lode_api,lode_worker}', '{3}', '{1}', 'member', 'canceled', '{3,12}', false, false, null),
  (12, 'promotionByBalance', '{lode_api,lode_worker}', '{3}', '{1,5,12,13,14,24}', 'member', 'confirmed', '{3,4,5}', true, false, null),
  (13, 'promotionPaid', '{lode_worker}', '{3,8}', '{1,5,12,13,14,24}', 'chain', 'confirmed', '{3,4,5}', true, false, null),
  (14, 'pledgeByBalance', '{lode_api,lode_worker}', '{3}', '{4}', 'member', 'confirmed', '{12}', false, false, null),
  (15, 'pledgePaid', '{lode_worker}', '{3,8}', '{4}', 'chain', 'confirmed', '{12}', false, false, null),
  (16, 'pledgeReturn', '{lode_worker}', '{4}', '{1}', 'pledge', 'confirmed', '{14}', false, false, null),
  (20, 'transferRequest', '{lode_api,lode_worker}', '{1}', '{2}', 'member', 'confirming', '{2}', false, false, null),
  (21, 'transferRelease', '{lode_api,lode_worker}', '{2}', '{1}', 'member', 'canceled', '{2}', false, false, null),
  (22, 'transferPaid', '{lode_worker}', '{2}', '{8,14,28}', 'chain', 'confirmed', '{2}', false, false, null),
  (30, 'agentReward', '{lode_api,lode_worker}', '{5}', '{1}', 'member', 'confirmed', '{6}', false, false, null),
  (31, 'dividendClose', '{lode_worker}', '{20}', '{21}', 'day', null, '{}', false, false, null),
  (32, 'pointReward', '{lode_api,lode_worker}', '{21}', '{1}', 'member', 'confirmed', '{13}', false, false, null),
  (40, 'pledgeRest', '{lode_worker}', '{21}', '{1}', 'pledge', 'confirmed', '{13}', false, false, null),
  (33, 'partnerClose', '{lode_worker}', '{24}', '{25}', 'day', null, '{}', false, false, null),
  (34, 'partnerUnshared', '{lode_worker}', '{24}', '{12}', 'day', null, '{}', false, false, null),
  (35, 'partnerReward', '{lode_api,lode_worker}', '{25}', '{1}', 'member', 'confirmed', '{7}', false, false, null),
  (36, 'airdropForActive', '{lode_api,lode_worker}', '{16}', '{1}', 'member', 'confirmed', '{8}', false, false, null),
  (37, 'airdropForPromotion', '{lode_api,lode_worker}', '{17}', '{1}', 'member', 'confirmed', '{9}', false, false, null),
  (38, 'airdropForAgent', '{lode_worker}', '{16}', '{1}', 'member', 'confirmed', '{10}', false, false, null),
  (39, 'airdropForPartner', '{lode_worker}', '{16}', '{1}', 'member', 'confirmed', '{11}', false, false, null),
  (50, 'suspenseCredit', '{lode_api,lode_worker}', '{32}', '{1}', 'member', 'confirmed', '{15}', false, true, null),
  (51, 'suspenseReturn', '{lode_worker}', '{32}', '{33}', 'suspense', null, '{}', false, false, null),
  (52, 'suspenseReturnPaid', '{lode_worker}', '{33}', '{8}', 'chain', null, '{}', false, false, null),
  (53, 'suspenseReturnUndone', '{lode_worker}', '{33}', '{32}', 'suspense', null, '{}', false, false, 51),
  (60, 'treasuryPay', '{lode_worker}', '{12,13,14,18,19}', '{15}', 'treasury', null, '{}', false, false, null),
  (61, 'treasuryPaid', '{lode_worker}', '{15}', '{8}', 'chain', null, '{}', false, false, null),
  (62, 'treasuryUndone', '{lode_worker}', '{15}', '{12,13,14,18,19}', 'treasury', null, '{}', false, false, 60),
  (70, 'writeOff', '{lode_worker}', '{9,10}', '{8,9}', 'chain', null, '{}', false, false, null),
  (71, 'lossFunding', '{lode_worker}', '{8}', '{10,32}', 'chain', null, '{}', false, false, null),
  (72, 'lossFundingByPool', '{lode_worker}', '{14}', '{10}', 'correction', null, '{}', false, false, null),
  (73, 'reverse', '{lode_worker}', '{1,8,9,10,12,13,14,15,16,17,18,19,24,25,28,32,33}', '{8,9,10,12,13,14,15,16,17,18,19,24,25,28,32,33}', 'correction', 'confirmed', '{16}', false, false, null);

delete from lode.ledger_move;
insert into lode.ledger_move (type, debit, credit, log, roles, key_of_member, key_start, debit_of_member, debit_stripes, phase) values
  (1, 2112, 320, 1, '{lode_worker}', false, 'chain:', false, 64, 'confirmed'),
  (1, 2176, 384, 1, '{lode_worker}', false, 'chain:', false, 64, 'confirmed'),
  (1, 2240, 448, 1, '{lode_worker}', false, 'chain:', false, 64, 'confirmed'),
  (10, 320, 832, 3, '{lode_api}', true, '', true, 1, 'confirming'),
  (10, 320, 832, 12, '{lode_api}', true, '', true, 1, 'confirming'),
  (10, 384, 896, 3, '{lode_api}', true, '', true, 1, 'confirming'),
  (10, 384, 896, 12, '{lode_api}', true, '', true, 1, 'confirming'),
  (16, 1152, 384, 14, '{lode_worker}', false, 'pledge:', true, 1, 'confirmed'),
  (20, 320, 576, 2, '{lode_api,lode_worker}', true, '', true, 1, 'confirming'),
  (20, 384, 640, 2, '{lode_api,lode_worker}', true, '', true, 1, 'confirming'),
  (20, 448, 704, 2, '{lode_api,lode_worker}', true, '', true, 1, 'confirming'),
  (30, 1344, 320, 6, '{lode_api,lode_worker}', true, '', true, 1, 'confirmed'),
  (32, 5568, 448, 13, '{lode_api,lode_worker}', true, '', false, 64, 'confirmed'),
  (40, 5568, 448, 13, '{lode_worker}', false, 'pledge:', false, 64, 'confirmed'),
  (35, 6464, 320, 7, '{lode_api,lode_worker}', true, '', false, 1, 'confirmed'),
  (36, 4224, 384, 8, '{lode_api,lode_worker}', true, '', false, 64, 'confirmed'),
  (37, 4480, 384, 9, '{lode_api,lode_worker}', true, '', false, 64, 'confirmed'),
  (38, 4224, 384, 10, '{lode_worker}', true, '', false, 64, 'confirmed'),
  (39, 4224, 384, 11, '{lode_worker}', true, '', false, 64, 'confirmed');

reset role;

