import type { Edit } from './broken-build.ts'

/** A broken build, the run that shows the error, and the message that the simulator must print. */
export type BrokenBuild = (RunOfCommands | RunOfStop) & {
  readonly name: string
  readonly edits: readonly Edit[]
  readonly caughtBy: RegExp
}

type RunOfCommands = {
  /** The commands that the run uses. The list is fixed, so that commands added later do not change the run. */
  readonly commands: readonly string[]
  readonly steps: number
  /** Further options of the simulator. */
  readonly options?: readonly string[]
}

/** The run exercises the stop that comes this way. */
type RunOfStop = { readonly stop: string }

const spentKeys = '(((globalThis as Record<string, unknown>).spent ??= new Map()) as Map<string, string>)'

/**
 * Removes the worker's own comparison of ledger and chain, which would stop it. The simulator must not depend on that
 * check.
 */
const withoutComparison: Edit = {
  file: 'modules/custody/post-blocks.ts',
  find: 'if (!blocks.custody || ',
  replace: 'if (blocks.last.number >= 0n || ',
}

/** Removes the database's own check of every ledger transaction. The simulator must not depend on that check. */
const withoutCauseCheck: Edit = {
  file: 'modules/ledger/functions/check_cause.sql',
  find: 'if lode.is_caused(new) is not true then',
  replace: 'if false then',
}

/** Removes the database's own checks of the day that is closed. */
const withoutDayChecks: readonly Edit[] = [
  {
    file: 'modules/pledge/functions/close_day.sql',
    find: 'if (f = least(inputs.funding, most) and f + x',
    replace: 'if (f + x',
  },
  {
    file: 'modules/pledge/functions/close_day.sql',
    find: '          and posted_time > closes_at)) is not true then',
    replace: '          and posted_time > day_end)) is not true then',
  },
]

const creditedSponsor = "allocation.rewards.filter(({ type, failed }) => type === 'promotionReward' && failed === null)"

export const brokenBuilds: readonly BrokenBuild[] = [
  {
    name: 'ignores plain transfers to the former vault',
    edits: [
      {
        file: 'modules/custody/interpret-logs.ts',
        find: 'const movement = interpretUnpairedTransfer(transfer, pool)',
        replace:
          'const movement = pool.formerVaults.join().includes(transfer.to) ? null : interpretUnpairedTransfer(transfer, pool)',
      },
      withoutComparison,
    ],
    commands: ['deposit', 'mine'],
    steps: 2,
    options: ['--migrate'],
    caughtBy: /is not in the books, though the posted block is/,
  },
  {
    name: 'is right, but whose former vault forgets the payouts that it made',
    edits: [],
    commands: ['deposit', 'mine'],
    steps: 2,
    options: ['--migrate', '--forgetful'],
    caughtBy: /the next vault pays 0x[0-9a-f]{64} again, which the old vault has paid/,
  },
  {
    name: 'credits before finality',
    edits: [
      {
        file: 'platform/chain/node.ts',
        find: "return { latest, finalized: await blockOrFail('finalized') }",
        replace: 'return { latest, finalized: await blockOrFail(latest.number - 2n) }',
      },
    ],
    commands: ['deposit', 'mine'],
    steps: 6,
    caughtBy: /is not in the finalized chain|is beyond the final one/,
  },
  {
    name: 'credits both the Transfer and the vault event of one deposit',
    edits: [
      {
        file: 'modules/custody/interpret-logs.ts',
        find: 'const [transfer] = index < 0 ? [] : unpairedTransfers.splice(index, 1)',
        replace: 'const [transfer] = index < 0 ? [] : unpairedTransfers.slice(index, index + 1)',
      },
      withoutComparison,
    ],
    commands: ['deposit', 'mine'],
    steps: 6,
    caughtBy: /the vault holds|is not in the finalized chain/,
  },
  {
    name: 'uses up the key of a log before it is final, so that the log is not credited after a reorganization',
    edits: [
      {
        file: 'modules/custody/unfinalized-blocks.ts',
        find: '    await insertIncoming(trx, incoming)\n',
        replace: `    await insertIncoming(trx, incoming)
    for (const { log } of incoming) if (!${spentKeys}.has(log.tx + log.logIndex)) ${spentKeys}.set(log.tx + log.logIndex, log.blockHash)
`,
      },
      {
        file: 'modules/custody/post-blocks.ts',
        find: '  const movementTransactions = blocks.movements.filter(isNeitherPayoutNorWriteOff).flatMap((movement) => {\n',
        replace: `  const movementTransactions = blocks.movements.filter(isNeitherPayoutNorWriteOff).filter(({ log }) => (${spentKeys}.get(log.tx + log.logIndex) ?? log.blockHash) === log.blockHash).flatMap((movement) => {\n`,
      },
      withoutComparison,
    ],
    commands: ['deposit', 'plain transfer', 'mine', 'reorganise'],
    steps: 25,
    caughtBy: /is not in the books, though the posted block is/,
  },
  {
    name: 'locks accounts in a different order on each connection',
    edits: [
      {
        file: 'modules/ledger/functions/post_lock_accounts.sql',
        find: '  select count(*) into affected from lode.ledger_account where id = any (locked);\n',
        replace: `  perform id from lode.ledger_account where id = any (locked)
  order by md5(id::text || pg_backend_pid()::text) for no key update;
  select count(*) into affected from lode.ledger_account where id = any (locked);
`,
      },
    ],
    commands: ['orders at once'],
    steps: 6,
    caughtBy: /not locked in one order/,
  },
  {
    name: 'accepts one signature several times',
    edits: [
      {
        file: 'modules/identity/commands.ts',
        find: 'return numAffectedRows === 1n',
        replace: 'return (numAffectedRows ?? 0n) >= 0n',
      },
    ],
    commands: ['register', 'repeat a signature'],
    steps: 12,
    caughtBy: /was good for \d+ sign-ins|sessions of \d+ signatures/,
  },
  {
    name: 'posts under one key as often as it is asked to',
    edits: [
      {
        file: 'migrations/0100_ledger.sql',
        find: '  unique (member, key)\n);\n',
        replace: '  unique (id, member, key)\n);\n',
      },
      {
        file: 'modules/ledger/functions/post_find_keys.sql',
        find: 'spent on spent.member = given.member and spent.key = given.key\n',
        replace: 'spent on false\n',
      },
      {
        file: 'modules/ledger/functions/post_write.sql',
        find: '  on conflict (member, key) do nothing;\n',
        replace: '  on conflict do nothing;\n',
      },
      {
        file: 'modules/ledger/functions/post_plain.sql',
        find: '    on conflict (member, key) do nothing\n    returning',
        replace: '    on conflict do nothing\n    returning',
      },
    ],
    commands: ['orders at once'],
    steps: 6,
    caughtBy: /had \d effects|over what it was sent twice|is spent twice/,
  },
  {
    name: 'sends a higher fee without having stored it',
    edits: [
      {
        file: 'modules/payout/raise-fee.ts',
        find: '  await storeSignedVersion(connection, release.number, version)\n',
        replace: '  if (version.attempt < 0) await storeSignedVersion(connection, release.number, version)\n',
      },
    ],
    commands: ['transfer out', 'transfers at once', 'drop transactions'],
    steps: 20,
    caughtBy: /and nothing of it is stored/,
  },
  {
    name: 'treats a release as failed before that is final',
    edits: [
      {
        file: 'modules/payout/conclude-releases.ts',
        find: '  readAtBlock(node, block, (at) => node.transactionCount(payer, at))',
        replace:
          "  block.number < 0n ? readAtBlock(node, block, () => Promise.resolve(0n)) : node.transactionCount(payer, { blockTag: 'latest' })",
      },
    ],
    commands: ['transfer out', 'transfers at once', 'mine'],
    steps: 20,
    caughtBy: /is in no release, and .* paid it|was released again/,
  },
  {
    name: 'cancels a transfer that is already signed',
    edits: [
      {
        file: 'modules/transfer/functions/cancel_transfer.sql',
        find: `  if not found then return 'order-unknown'; end if;
  if found_payout.ended is not null or found_payout.release_number is not null then`,
        replace: `  if not found then return 'order-unknown'; end if;
  if found_payout.ended is not null then`,
      },
    ],
    commands: ['transfer and cancel', 'cancel a transfer', 'mine'],
    steps: 25,
    caughtBy: /is cancelled, and .* paid it|is not what is frozen/,
  },
  {
    name: 'signs a transfer that is held',
    edits: [
      {
        file: 'modules/transfer/judge.ts',
        find: "if (progress.state === 'approved' && !pausedUntil)",
        replace: "if (progress.state !== 'final')",
      },
    ],
    commands: ['transfer out', 'transfers at once', 'use a new browser', 'mine'],
    steps: 20,
    caughtBy: /was signed (at .* held since|with the approval of)/,
  },
  {
    name: 'counts a quota for an hour and not for a day',
    edits: [
      {
        file: 'modules/transfer/functions/quota_used.sql',
        find: "and given_back_at is null and at > lode.now() - interval '24 hours';\n$used$;",
        replace: "and given_back_at is null and at > lode.now() - interval '1 hour';\n$used$;",
      },
    ],
    commands: ['transfers at once', 'move the clock'],
    steps: 60,
    caughtBy: /were asked for in the 24 hours to/,
  },
  {
    name: 'signs the next release before the previous one is in a block',
    edits: [
      {
        file: 'modules/payout/payer-turn.ts',
        find: '    if (own.length > 0) {\n',
        replace: '    if (own.length > 99) {\n',
      },
      {
        file: 'migrations/0500_payout.sql',
        find: '  unique (payer, nonce)\n',
        replace: '  unique (payer, nonce, number)\n',
      },
    ],
    commands: ['transfers at once', 'transfer out'],
    steps: 20,
    caughtBy: /by nonce \d+/,
  },
  {
    name: 'pays the sponsor of a promotion twice',
    edits: [
      {
        file: 'modules/promotion/postings.ts',
        find: "    { to: 'pool:mining', amount: allocation.miningFund },\n",
        replace: `    ...${creditedSponsor}.map((reward) => rewardTarget(order, reward)),
    { to: 'pool:mining', amount: ${creditedSponsor}.reduce((left, { amount }) => left - amount, allocation.miningFund as bigint) },
`,
      },
      withoutCauseCheck,
    ],
    commands: ['promote', 'mine'],
    steps: 6,
    caughtBy: /order .* went as type 1[23]/,
  },
  {
    name: 'ignores the number of promotion rewards that a level allows',
    edits: [
      {
        file: 'modules/promotion/rules.ts',
        find: "rewards >= levelAt(plan, level).rewardsAtMost ? 'count-reached' : null",
        replace: "rewards >= levelAt(plan, level).rewardsAtMost + 99 ? 'count-reached' : null",
      },
      {
        file: 'modules/promotion/functions/rewards_by_plan.sql',
        find: "-> 'rewardsAtMost')::int then",
        replace: "-> 'rewardsAtMost')::int + 99 then",
      },
    ],
    commands: ['promote', 'purchases at once', 'mine'],
    steps: 12,
    caughtBy: /has not the reward promotionReward .* count-reached/,
  },
  {
    name: 'closes a canceled order while its quote can still be paid',
    edits: [
      {
        file: 'modules/orders/close-orders.ts',
        find: 'where ended is null and deadline < (select posted_time from lode.chain_state)',
        replace:
          'where ended is null and (cancelled_at is not null or deadline < (select posted_time from lode.chain_state))',
      },
      {
        file: 'modules/orders/functions/close_order.sql',
        find: '    and deadline < (select posted_time from lode.chain_state\n',
        replace: '    and least(deadline, cancelled_at) < (select posted_time from lode.chain_state\n',
      },
    ],
    commands: ['cancel an order', 'mine'],
    steps: 20,
    caughtBy: /is cancelled at the posted .* and can be paid until|paid order .* in time/,
  },
  {
    name: 'treats the payment of a canceled order as a deposit',
    edits: [
      {
        file: 'modules/orders/settlement.ts',
        find: 'if (order.ended !== null || !matches(order, movement)',
        replace: 'if (order.ended !== null || order.cancelledAt !== null || !matches(order, movement)',
      },
    ],
    commands: ['cancel while the payment is in flight', 'mine'],
    steps: 12,
    caughtBy: /paid order .* in time, and the order is/,
  },
  {
    name: 'keeps the frozen part of an order for a level that the member already has',
    edits: [
      {
        file: 'modules/promotion/settle-promotions.ts',
        find: 'entries: order.balancePart > 0n ? [unfreezePosting(order)] : [],',
        replace: 'entries: order.balancePart < 0n ? [unfreezePosting(order)] : [],',
      },
    ],
    commands: ['a level is given by hand', 'mine'],
    steps: 12,
    // The database refuses to commit an order without its release, so the worker cannot post the block.
    caughtBy: /never the worker follows: \["the posted block is behind"\]/,
  },
  {
    name: 'settles an order by the plan in force instead of its own plan version',
    edits: [
      {
        file: 'modules/promotion/settle-promotions.ts',
        find: 'const plan = await plans.byVersion(trx, order.planVersion)',
        replace: 'const plan = await plans.inForce(trx)',
      },
      withoutCauseCheck,
    ],
    commands: ['publish a plan in mid-order', 'mine'],
    steps: 10,
    caughtBy: /order .* went as type 1[23]/,
  },
  {
    name: 'settles an order with a payment of another account by a forged quote',
    edits: [
      {
        file: 'modules/orders/settlement.ts',
        find: '  payment.from === account && payment.asset === asset',
        replace: '  payment.from.length === account.length && payment.asset === asset',
      },
    ],
    commands: ['forge a quote', 'mine'],
    steps: 25,
    caughtBy: /is paid by .*, which is not for it/,
  },
  {
    name: 'gives airdrops out of an empty reserve',
    edits: [
      {
        file: 'migrations/0101_chart.sql',
        find: "(16, 'reserve:airdrop', 'system', '{2}', true, 1, null)",
        replace: "(16, 'reserve:airdrop', 'system', '{2}', false, 1, null)",
      },
    ],
    commands: ['promote', 'mine'],
    steps: 6,
    caughtBy: /fell to -/,
  },
  {
    name: 'does not subtract ended pledges from the total weight of a day',
    edits: [
      {
        file: 'modules/pledge/functions/lock_next_day.sql',
        find: 'coalesce(sum(change.ended), 0), coalesce(sum(change.freed), 0)',
        replace: '0, coalesce(sum(change.freed), 0)',
      },
    ],
    commands: ['pledge', 'the hour of the close comes'],
    steps: 20,
    caughtBy: /day \d+ has S \d+, and must have/,
  },
  {
    name: 'pays a pledge one unit more than it is entitled to',
    edits: [
      {
        file: 'modules/pledge/dividend-payments.ts',
        find: 'const total = entitled({\n',
        replace: 'const total = 1n + entitled({\n',
      },
      {
        file: 'modules/pledge/functions/pay_pledges.sql',
        find: 'case when for_good then reckoned.amount = div(reckoned.scaled, scale)',
        replace: 'case when reckoned.amount is not null then reckoned.amount <= div(reckoned.scaled, scale) + 1',
      },
    ],
    commands: ['pledge', 'the hour of the close comes', 'collect'],
    steps: 20,
    // If nothing was produced yet, the database refuses the unit that nobody funded, and collecting fails.
    caughtBy: /pledge .* was paid \d+, and had|collected \S+ of \d+ to \d+|pledge\/collect answered .*"internal"/,
  },
  {
    name: 'leaves out funding that came late for a closed day',
    edits: [
      {
        file: 'modules/pledge/functions/close_day.sql',
        find: 'given.amount from lode.unused_funding given where given.day <= of_day\n',
        replace: 'given.amount from lode.unused_funding given where given.day = of_day\n',
      },
      { file: 'modules/pledge/functions/close_day.sql', find: 'if got <> f + x then', replace: 'if got is null then' },
    ],
    commands: ['fund the dividend', 'pledge', 'the hour of the close comes'],
    steps: 20,
    caughtBy: /day \d+ has F \d+, and must have/,
  },
  {
    name: 'ignores the daily limit',
    edits: [
      {
        file: 'modules/pledge/rules.ts',
        find: 'const admitted = least(funding, most)',
        replace: 'const admitted = funding',
      },
      ...withoutDayChecks,
    ],
    commands: ['fund more than a day lets in', 'days pass', 'mine'],
    steps: 20,
    caughtBy: /day \d+ has F \d+, and must have/,
  },
  {
    name: 'starts a pledge on the day on which it is paid',
    edits: [
      {
        file: 'modules/pledge/functions/settle_pledge.sql',
        find: '(select max(day) from lode.production_day)) + 1;',
        replace: '(select max(day) + 1 from lode.production_day));',
      },
    ],
    commands: ['pledge', 'mine'],
    steps: 12,
    caughtBy: /was paid on day \d+ and begins on/,
  },
  {
    name: 'closes a day before the posted block has passed its closing hour',
    edits: [
      {
        file: 'modules/pledge/rules.ts',
        find: 'if (postedAt === null || postedAt <= at)',
        replace: 'if (postedAt === null)',
      },
      ...withoutDayChecks,
    ],
    commands: ['the hour of the close comes', 'midnight comes', 'mine'],
    steps: 20,
    caughtBy: /day \d+ closed at .* with the posted block of/,
  },
  {
    name: 'returns the BTN of a pledge on its last day',
    edits: [
      {
        file: 'modules/pledge/functions/return_pledges.sql',
        find: 'pledge.end_day <= lode.day_of(lode.now())\n',
        replace: 'pledge.end_day <= lode.day_of(lode.now()) + 1\n',
      },
    ],
    commands: ['pledge', 'midnight comes', 'mine'],
    steps: 20,
    caughtBy: /came back at .*, before day/,
  },
  {
    name: 'signs payouts while the worker is stopped',
    edits: [
      {
        file: 'modules/payout/rules.ts',
        find: 'if (ledger.stopped !== null) return',
        replace: "if (ledger.stopped === 'never') return",
      },
      {
        file: 'modules/payout/sign-payouts.ts',
        find: '  if ((await readChainState(trx))?.stoppedReason !== null) return { release: null, more: false }\n',
        replace: '  if ((await readChainState(trx)) === undefined) return { release: null, more: false }\n',
      },
    ],
    stop: 'CHAIN_GENESIS_HASH is of another chain',
    caughtBy: /a transfer was signed during the stop/,
  },
  {
    name: 'lets one operator end a stop',
    edits: [
      {
        file: 'modules/custody/functions/end_stop.sql',
        find: "lode.take_decision(of_decision, 'end-stop', 2)",
        replace: "lode.take_decision(of_decision, 'end-stop', 1)",
      },
      {
        file: 'modules/treasury/carry-out-by-function.ts',
        find: "'end-stop': { name: sql`lode.end_stop`, signaturesNeeded: SIGNATURES_NEEDED }",
        replace: "'end-stop': { name: sql`lode.end_stop`, signaturesNeeded: 1 }",
      },
    ],
    stop: 'a node says that it is of chain 1',
    caughtBy: /alone ended it with lode chain resume/,
  },
]
