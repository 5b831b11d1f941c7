import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/ledger'
const keys = `${folder}/keys.integration.test.ts`
const seal = `${folder}/seal.integration.test.ts`
const promotionCauses = 'apps/server/src/modules/promotion/causes.integration.test.ts'
const posting = `${folder}/post.integration.test.ts`
const daySums = `${folder}/day-sums.integration.test.ts`
const concurrency = `${folder}/concurrency.integration.test.ts`

export const ledger: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/account-number.ts`,
    [`${folder}/account-number.test.ts`],
    [
      ['assetCodes[asset] << 6', 'assetCodes[asset] << 7'],
      ['(owner + 1n) << 14n', '(owner + 2n) << 14n'],
      ['stripe: low & 63', 'stripe: low & 31'],
    ],
  ),
  ...mutantsOf(
    `${folder}/batch.ts`,
    [`${folder}/batch.test.ts`],
    [
      ['if (amount === 0n) continue', ''],
      ['[...credits, ...debits]', '[...debits, ...credits]'],
      ['leg.account === account && leg.line === line', 'leg.account === account'],
      ['line.fee !== undefined && line.fee !== fee', 'line.fee === undefined && line.fee !== fee'],
      ['(one < other ? -1 : one > other ? 1 : 0)', '(one < other ? 1 : one > other ? -1 : 0)'],
    ],
  ),
  ...mutantsOf(
    `${folder}/input-hash.ts`,
    [`${folder}/batch.test.ts`],
    [
      ['transaction.terms ?? contentOf(transaction)', 'contentOf(transaction)'],
      ['JSON.stringify([type, parts])', 'JSON.stringify([type])'],
    ],
  ),
  ...mutantsOf(
    `${folder}/fast-post.ts`,
    [`${folder}/fast-post.test.ts`],
    [
      ['move.amount <= 0n', 'move.amount < 0n'],
      ["(!('member' in transaction) || transaction.member === to.member) &&", ''],
      ['(line.fee ?? 0n) !== 0n', 'false'],
      ['beginsLine && !needsFurtherChecks &&', 'beginsLine &&'],
    ],
  ),
  ...mutantsOf(
    `${folder}/holdings.ts`,
    [`${folder}/holdings.test.ts`],
    [
      ["kindsStartingWith('pool:', 'reserve:')", "kindsStartingWith('pool:')"],
      ['owed: held + missing - own', 'owed: held - own'],
    ],
  ),
  ...mutantsOf(
    `${folder}/seal-chain.ts`,
    [`${folder}/seal-chain.test.ts`],
    [
      ['newest.last + 1n === id', 'newest.last + 2n === id'],
      ['`[${first},${last + 1n})`', '`[${first},${last})`'],
      [
        'range.first > newest.last + gap',
        'range.first >= newest.last + gap',
        { reason: 'The ranges only decide how many queries read the transactions.' },
      ],
      ['else if (range.last > newest.last) newest.last = range.last', ''],
      ['complete, lastGiven, madeBy, sealedAt]', 'complete, lastGiven, sealedAt]'],
    ],
  ),
  ...mutantsOf(
    `${folder}/command.ts`,
    [`${folder}/command.integration.test.ts`],
    [
      ['if (!stored.input_hash.equals(commandHash(request)))', 'if (stored.input_hash.length === 0)'],
      ['if (!result.ok) await sql`rollback to savepoint command`.execute(trx)', ''],
      ['update(`${name} ${terms}`)', 'update(terms)'],
      ['return stored.done ? ok', 'return stored.answer ? ok'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/log_of_key.sql`,
    [keys],
    [
      ['^chain:[1-9][0-9]*', '^chain:[0-9]+'],
      ['(0|[1-9][0-9]{0,8})$', '[0-9]{1,9}$'],
      ["split_part(key, ':', 2) = coalesce(", "split_part(key, ':', 2) <> coalesce("],
      ['0x[0-9a-f]{64}', '0x[0-9a-fA-F]{64}'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/id_of_key.sql`,
    [keys],
    [
      ['[0-9a-f]{12}(:|$)', '[0-9a-f]{12}'],
      ["'^[a-z]+:", "'[a-z]+:"],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/key_of_log.sql`,
    [keys],
    [["'chain:' || chain_id || ':0x'", "'chain:' || chain_id || ':'"]],
  ),
  ...mutantsOf(
    `${folder}/functions/add_seal.sql`,
    [seal],
    [
      ['given_number = coalesce(newest.number, 0) + 1', 'given_number > coalesce(newest.number, 0)'],
      [
        "      and given_previous = coalesce(newest.hash, decode(repeat('00', 32), 'hex'))) is not true",
        '      ) is not true',
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/post_check_legs.sql`,
    [posting],
    [
      ['if 0 <> any (sums) or', 'if'],
      ['if session_user <> all (rule.roles) then', 'if false then'],
      ['not (rule.credits_others and change > 0) and own_member <> base >> 14', 'false'],
      ['case when change < 0 then rule.debits else rule.credits end', 'rule.debits || rule.credits'],
      ['if (l > 0 and line_types[l] = any (rule.logs)) is not true then', 'if false then'],
      ['if (l > 0 and line_types[l]', 'if (line_types[l]'],
      ["members[t] = 0 and starts_with(keys[t], rule.key_space || ':')", 'members[t] = 0'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/post_compute.sql`,
    [posting],
    [
      ['if change < 0 and after < floors[s] then', 'if change < 0 and after < floors[s] - 1 then'],
      ['        versions[s] := versions[s] - 1;\n', ''],
      ["then 'repeated' else 'conflict' end", "then 'repeated' else 'repeated' end"],
      ['least(missing, balances[s] - floors[s])', 'missing'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/post_compute_lines.sql`,
    [posting],
    [
      ["line_phase[l] = 'confirming' and to_frozen[l] = line_change[l]", 'to_frozen[l] = line_change[l]'],
      ["line_phase[l] = 'confirming' and to_frozen[l] = line_change[l]", "line_phase[l] = 'confirming'"],
      ['line_fee[l] := stored.fee;', 'line_fee[l] := 0;', { tests: [daySums] }],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/post_write.sql`,
    [posting],
    [
      ["where phases[given.transaction] = 'confirmed'", 'where true', { tests: [daySums] }],
      [
        'amount = kept.amount + excluded.amount, fee = kept.fee + excluded.fee',
        'amount = excluded.amount',
        { tests: [daySums] },
      ],
      [
        "if affected <> cardinality(array_positions(outcomes, 'posted')) then",
        'if false then',
        { tests: [concurrency] },
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/post_check_source.sql`,
    [posting],
    [
      ['select bool_and(holder.address = member.account)', 'select bool_and(true)'],
      ['having sum(both_ways.amount) <> 0', 'having false'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/post_plain.sql`,
    [posting],
    [
      [
        'where id = debited and (balance - given_amount >= floor) is not false\n    returning',
        'where id = debited\n    returning',
      ],
      ['and session_user = any (roles)', ''],
      [
        'update lode.ledger_account set balance = credit_balance - given_amount, version = credit_version - 1\n  where id = credited and version = credit_version;\n',
        '',
      ],
      ['set amount = kept.amount + excluded.amount;', 'set amount = excluded.amount;', { tests: [daySums] }],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/is_caused.sql`,
    [promotionCauses],
    [
      ['return (lode.log_of_key(posted.key)).tx is not null;', 'return true;'],
      ['if expected is null then return false; end if;', 'if expected is null then return true; end if;'],
      ['    line_name := lode.order_of_log(posted.key);', '    line_name := null;'],
      [
        '    line_name := lode.payout_of_log(posted.key);',
        '    line_name := null;',
        { tests: ['apps/server/src/modules/transfer/causes.integration.test.ts'] },
      ],
      ['when :asset.USDT then :log.upLevelByBalance else :log.createPledge end;', 'when 9 then 1 end;'],
      ['where posting.member in (0, owner) and', 'where posting.member = owner and'],
      ['if owner > 0 and not (select credits_others', 'if owner > 0 and (select credits_others'],
    ],
  ),
]
