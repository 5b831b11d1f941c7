import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/payout'

export const payout: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/proof.ts`,
    ['apps/server/src/modules/correction/invented-funder.integration.test.ts'],
    [
      ['(await isFunder(movement.from)) &&', ''],
      ['!(await isMember(db, movement.from))', 'true'],
      ['if (since === null) return false', 'return since !== null'],
    ],
  ),
  ...mutantsOf(
    `${folder}/proof.ts`,
    [`${folder}/proof.integration.test.ts`],
    [['reversal !== null && (await isAmongPostings(db, until, reversal))', 'reversal !== null']],
  ),
  ...mutantsOf(
    'apps/server/src/modules/ledger/new-postings.ts',
    [`${folder}/proof.integration.test.ts`],
    [['coalesce(seen.version, 0) and posting.version <= until.version', 'coalesce(seen.version, 0)']],
  ),
  ...mutantsOf(
    `${folder}/restore/store-restore.ts`,
    [`${folder}/restore/store-restore.integration.test.ts`],
    [
      ['(binds_at > ${moment} or', '(binds_at > lode.now() or'],
      ['where reset_ends_at > ${moment}', 'where reset_ends_at > lode.now()'],
      ['if (!isFirst) return', 'if (false) return'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/restore_payout.sql`,
    [`${folder}/restore/store-restore.integration.test.ts`],
    [
      ['and amount = of_amount ', ''],
      ['and address = of_address ', ''],
      ['if lost.account <> lost.address then return false; end if;', ''],
    ],
  ),
  ...mutantsOf(
    `${folder}/restore/collect-first.ts`,
    ['apps/server/src/modules/pledge/collect-after-restore.integration.test.ts'],
    [
      ['if (available + BigInt(returned) >= BigInt(needed)) continue', ''],
      ['const collected = await collectRewards(trx, member, asset)', 'const collected = 0n'],
      ['sum(lost.amount + lost.fee) as needed', 'sum(lost.fee) as needed'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/lost_payout_is_paid.sql`,
    [`${folder}/restore/store-restore.integration.test.ts`],
    [["and ended = 'final'", '']],
  ),
  ...mutantsOf(
    `${folder}/journal-check.ts`,
    [`${folder}/restore/store-restore.integration.test.ts`],
    [['(await readAcknowledged(connection)).some(({ at }) => at >= last.at)', 'last.at > new Date(0)']],
  ),
  ...mutantsOf(
    'apps/server/src/platform/chain/fees.ts',
    ['apps/server/src/platform/chain/fees.test.ts'],
    [
      ['if (baseFee >= feeLimit)', 'if (baseFee > feeLimit)'],
      ['larger(USUAL_TIP, baseFee)', 'USUAL_TIP'],
      ['fee + fee / 8n + 1n', 'fee + fee / 12n + 1n'],
      ['leastMax > feeLimit || leastPriority > feeLimit', 'leastPriority > feeLimit'],
      ['if (maxPriorityFee >= feeLimit)', 'if (2n * maxPriorityFee > feeLimit)'],
      ['larger(2n * maxPriorityFee, LEAST_RAISED_TIP)', '2n * maxPriorityFee'],
    ],
  ),
  ...mutantsOf(
    `${folder}/rules.ts`,
    [`${folder}/rules.test.ts`],
    [
      ['one.number < other.number ? -1 : 1', 'one.number < other.number ? 1 : -1'],
      ['> SMALLER_MAY_PASS_MS', '>= SMALLER_MAY_PASS_MS'],
      ['amount > cap[asset]', 'amount >= cap[asset]'],
      ['waitedLong && amount <= room.wholeCap[asset]', 'waitedLong && amount < room.wholeCap[asset]'],
      ['if (isNext) closed.add(asset)', ''],
      ['amount > float[asset]', 'amount >= float[asset]'],
      ['release.length < maxPayouts', 'release.length <= maxPayouts'],
      ['float[asset] -= amount', ''],
      ['!(hasTokenFailure(first) || hasTokenFailure(payout))', '!hasTokenFailure(first)'],
      ['count <= signed + 1n ||', 'count <= signed + 2n ||'],
      [' || nodes === 1 ? count', ' ? count'],
      ['  return second\n', '  return highest\n'],
      ['counts.filter((count) => count > ended)', 'counts.filter((count) => count >= ended)'],
      ['behind > MAX_BEHIND_SECONDS', 'behind >= MAX_BEHIND_SECONDS'],
      ['held[asset] !== ledger.vault[asset]', 'held[asset] > ledger.vault[asset]'],
      ['if (stop !== undefined) blocked.set', 'if (stop === null) blocked.set'],
      ['if (ledger.readAgain)', 'if (ledger.readAgain && paused)'],
    ],
  ),
  ...mutantsOf(
    `${folder}/proof-rules.ts`,
    [`${folder}/proof-rules.test.ts`],
    [
      ["!changesBy('custody:cold', cold) ||", ''],
      ['custody.some(({ asset }) => asset !== movement.asset)', 'false'],
      ["return movement.into === 'vault' ?", "return movement.into !== 'vault' ?"],
      ['return { vault: amount, cold: -amount }', 'return { vault: amount, cold: amount }'],
      ['return { vault: -amount, cold: amount }', 'return { vault: amount, cold: -amount }'],
      [
        'facts.payerOf(movement.orderId, movement.log.tx) === movement.from',
        'facts.payerOf(movement.orderId, movement.log.tx) !== undefined',
      ],
      ["(type === 'pledgePaid' && areAllOwnedBy(movement.from))", "type === 'pledgePaid'"],
      [
        "type === 'reserveFunding' && others.every(({ kind }) => kind === `reserve:${movement.reserve}`)",
        "type === 'reserveFunding'",
      ],
      ['!payout || type !== PAID_TYPES[payout.kind]', '!payout'],
      ["kind !== 'frozenOut' || owner === payout.memberId", 'owner !== undefined'],
      [
        "(type === 'deposit' || type === 'suspenseDeposit') && areAllOwnedBy(from)",
        "type === 'deposit' && areAllOwnedBy(from)",
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/sign-payouts.ts`,
    [`${folder}/payer-safety.integration.test.ts`],
    [['if ((await checks.findClockProblem(trx)) !== null) return { release: null, more: false }', '']],
  ),
  ...mutantsOf(
    `${folder}/sign-burn.ts`,
    [`${folder}/lost-commits.integration.test.ts`],
    [['await nextBurnId(trx)', 'numberToHex(BigInt(Date.now()), { size: 32 })']],
  ),
  ...mutantsOf(
    'apps/server/src/modules/transfer/functions/cancel_transfer.sql',
    [`${folder}/lost-commits.integration.test.ts`],
    [['if exists (select from lode.chain_outgoing where payout_id = of_id)', 'if false']],
  ),
  ...mutantsOf(
    `${folder}/forgotten-releases.ts`,
    [`${folder}/lost-commits.integration.test.ts`],
    [
      ['if (minedCount <= known) return null', 'if (minedCount <= known + 1n) return null'],
      ['for (const blockNumber of compared)', 'for (const blockNumber of compared.slice(1))'],
      ['      if (isPaid)\n', '      if (isPaid && each === node)\n'],
    ],
  ),
  ...mutantsOf(
    `${folder}/journal.ts`,
    [`${folder}/journal.test.ts`],
    [
      ['const size = bytes.lastIndexOf(NEWLINE) + 1', 'const size = bytes.length'],
      ['line < lineCount; line += 1', 'line <= lineCount; line += 1'],
    ],
  ),
  ...mutantsOf(
    `${folder}/journal-check.ts`,
    [`${folder}/journal.integration.test.ts`],
    [
      ['lines.find(({ hash }) => !known.has(hash))', 'lines.slice(1).find(({ hash }) => !known.has(hash))'],
      ['?.equals(journalHash)', ' !== null'],
    ],
  ),
  ...mutantsOf(
    `${folder}/revoked-payer.ts`,
    [`${folder}/revoked-payer.integration.test.ts`],
    [
      ['  if (await mayPayFromAny(node, pool, payer)) return false\n', ''],
      ['let isConfirmed = others.length === 0', 'let isConfirmed = true'],
    ],
  ),
]
