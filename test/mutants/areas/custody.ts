import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/custody'
const MIGRATION = 'apps/server/src/modules/payout/vault-migration.integration.test.ts'

export const custody: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/interpret-logs.ts`,
    [`${folder}/interpret-logs.test.ts`],
    [
      [
        'const index = unpairedTransfers.findLastIndex(\n    (transfer) =>\n',
        'const index = unpairedTransfers.findIndex(\n    (transfer) =>\n',
      ],
      ['      transfer.amount === expected.amount &&\n', ''],
      ['      transfer.from === expected.from &&\n', ''],
      ['      transfer.log.address === expected.token.toLowerCase() &&\n', ''],
      ["transfer.fromPlace === 'cold' ? { kind: 'coldReturn' } : expected.details", 'expected.details'],
      ['[] : unpairedTransfers.splice(index, 1)', '[] : unpairedTransfers.slice(index, index + 1)'],
      ['if (index >= 0) unpairedTransfers.splice(index, 1)', ''],
      ["if (poolAddress?.role === 'cold') coldNow.add(poolAddress.address)", ''],
      ['if (!asset || sent <= arrived) return null', 'if (!asset || sent >= arrived) return null'],
      ["if (movementDetails.kind === 'payout' && transfer.toPlace === 'vault')\n", 'if (false)\n'],
      ['loss: { ...loss, arrived: 0n },', 'loss: { ...loss, arrived },'],
      [' && !vaults.includes(event.args.successor))', ')'],
      ['  if (amount === 0n) return null\n', ''],
      ['if (fromPlace === toPlace) return null', 'if (fromPlace === null && toPlace === null) return null'],
      [
        "if (fromPlace === 'cold' && toPlace === 'vault')",
        "if (toPlace === 'vault')",
        {
          reason:
            'A Transfer to the vault without a vault event comes from a stranger or from a cold address, and strangers are handled in the line above.',
        },
      ],
      ['last?.tx === log.tx && last.blockHash === log.blockHash', 'last?.blockHash === log.blockHash'],
      ["event?.eventName === 'RoleGranted' && event.args.role === FUNDER_ROLE", "event?.eventName === 'RoleGranted'"],
      [
        "reason === undefined || reason === 'released' ? 'token' : reason",
        "reason === undefined || reason === 'released' ? 'cap' : reason",
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/final-blocks.ts`,
    [MIGRATION],
    [['    if (move?.blockNumber === from) throw new VaultMoved(move)\n', '']],
  ),
  ...mutantsOf(
    `${folder}/vault-migration.ts`,
    [MIGRATION],
    [
      ['if (!isAddressEqual(successor, to))', 'if (false)'],
      ['if (await chain.hasCode(to, before.number))', 'if (false)'],
    ],
  ),
  ...mutantsOf(
    `${folder}/balance-check.ts`,
    [MIGRATION],
    [['vault: addBalances(present, former), former,', 'vault: present, former,']],
  ),
  ...mutantsOf(
    'apps/server/src/platform/chain/describe-disagreement.ts',
    ['apps/server/src/platform/chain/describe-disagreement.test.ts'],
    [
      ['groups.length < 2', 'groups.length < 3'],
      ['rest.length === 1 && ', ''],
      ['(rest[0]?.names.length ?? 0) > 1', 'true'],
    ],
  ),
  ...mutantsOf(
    `${folder}/post-blocks.ts`,
    ['apps/server/src/modules/correction/reverse.integration.test.ts'],
    [
      ['exists (select from lode.correction where answers = spent.id)', 'false'],
      ['exists (select from lode.missing_log missing where missing.key = spent.key) as', 'false as'],
    ],
  ),
  ...mutantsOf(
    'apps/server/src/platform/chain/node.ts',
    ['apps/server/src/modules/correction/pruned-receipts.integration.test.ts'],
    [['if (!(await hasReceiptsSince(client, oldest)))', 'if (false)']],
  ),
  ...mutantsOf(
    'apps/server/src/platform/chain/agreed-chain.ts',
    [`${folder}/agreement.integration.test.ts`],
    [
      ['if (disagreement) throw new NodesDisagree(disagreement)', ''],
      ['if (answers.every(({ name }) => name === node.name)) {', 'if (answers.length === 0) {'],
      ['isOwnAhead ? theirs.number : own.number', 'own.number'],
      ['if (others.every(({ name }) => name === node.name))', 'if (others.length < 2)'],
    ],
  ),
  ...mutantsOf(
    'apps/server/src/platform/chain/node-heads.ts',
    ['apps/server/src/platform/chain/node-heads.test.ts'],
    [
      ['Math.max(now.getTime(), secondHighest(timesByOrigin(heads)))', 'now.getTime()'],
      ['numbers.length > 2', 'numbers.length > 3'],
    ],
  ),
  ...mutantsOf(
    'apps/server/src/platform/clock/clock-difference.ts',
    ['apps/server/src/platform/clock/clock-difference.test.ts'],
    [
      ['(chain.block.getTime() + (now - chain.seenAt))', 'chain.block.getTime()'],
      ['other - one)[needed - 1]', 'other - one)[0]'],
      ['Math.max(newest.get(origin) ?? 0, time.getTime())', 'time.getTime()'],
      ['if (chain.hasMoved) return', 'if (differenceMs > 0) return'],
    ],
  ),
  ...mutantsOf(
    'apps/server/src/processes/worker.ts',
    ['apps/server/src/processes/clock.integration.test.ts'],
    [['if ((await clock.findProblem(db)) === null) await tasks[name]()', 'await tasks[name]()']],
  ),
  ...mutantsOf(
    'apps/server/src/platform/chain/node-list.ts',
    ['apps/server/src/platform/chain/node-list.test.ts'],
    [
      ["profile === 'production' ? findNodeErrors(text) : []", '[]'],
      ["check.kind === 'mismatch' ? ", 'false ? '],
      ['if (state !== seen && !isReading) {', 'if (seen === "") {'],
      ['known.get(`${node.origin} ${node.url}`) ?? node', 'node'],
    ],
  ),
  ...mutantsOf(
    `${folder}/final-blocks.ts`,
    [`${folder}/agreement.integration.test.ts`],
    [['  await checkVaultEvents(node, pool, logs, blocks)\n', '']],
  ),
  ...mutantsOf(
    `${folder}/balance-check.ts`,
    [`${folder}/agreement.integration.test.ts`],
    [
      ['held.cold[asset] < cold', 'held.cold[asset] > cold'],
      ['held.vault[asset] !== vault', 'held.vault[asset] > vault'],
    ],
  ),
  ...mutantsOf(
    `${folder}/claim-tracker.ts`,
    [`${folder}/claim-tracker.test.ts`],
    [
      ['recorded.times >= times', 'recorded.times > times'],
      ['>= milliseconds', '> milliseconds'],
      ['recorded.claim === claim', 'recorded.times > 0'],
    ],
  ),
  ...mutantsOf(
    `${folder}/prices.ts`,
    [`${folder}/prices.test.ts`],
    [
      ['round.answer > 0n', 'round.answer >= 0n'],
      ['round.answeredInRound >= round.roundId', 'round.answeredInRound > 0n'],
      ['<= BigInt(now.getTime())', '<= BigInt(now.getTime() + 60_000)'],
    ],
  ),
  ...mutantsOf(
    `${folder}/movement-transaction.ts`,
    [`${folder}/movement-transaction.test.ts`],
    [
      ['movement.amount > MAX_UNITS', 'movement.amount >= MAX_UNITS'],
      ["if (asset !== 'BTC') return wrongAsset", ''],
      ["movement.into === 'vault' ? creditSender(movement.from)", 'movement.into ? creditSender(movement.from)'],
      [
        "{ ...moved, from: 'custody:cold', to: 'custody:vault' }",
        "{ ...moved, from: 'custody:vault', to: 'custody:cold' }",
      ],
      ['movement.arrived > 0n ? [lost, arrived] : [lost]', '[lost]'],
      ['JSON.stringify([log.address, log.topics, log.data])', 'JSON.stringify([log.address, log.topics])'],
    ],
  ),
]
