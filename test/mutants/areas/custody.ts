import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/custody'

export const custody: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/interpret-logs.ts`,
    [`${folder}/interpret-logs.test.ts`],
    [
      ['unpairedTransfers.findLastIndex(', 'unpairedTransfers.findIndex('],
      ['      transfer.amount === expected.amount &&\n', ''],
      ['      transfer.from === expected.from &&\n', ''],
      ['      transfer.log.address === expected.token.toLowerCase() &&\n', ''],
      ["transfer.fromPlace === 'cold' ? { kind: 'coldReturn' } : expected.details", 'expected.details'],
      ['unpairedTransfers.splice(index, 1)', 'unpairedTransfers.slice(index, index + 1)'],
      ["if (poolAddress?.role === 'cold') coldNow.add(poolAddress.address)", ''],
      ['return sent === arrived', 'return sent >= arrived'],
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
    `${folder}/agreement.ts`,
    [`${folder}/agreement.test.ts`],
    [
      ['amount > above', 'amount >= above'],
      ['sums[asset] + amount > daySum', 'sums[asset] + amount >= daySum'],
      ['    sums[asset] += amount\n', ''],
      [
        "...movements.filter(({ kind }) => kind === 'payout'),\n  ...notPaid,",
        "...movements.filter(({ kind }) => kind === 'payout'),",
      ],
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
      ["from: 'custody:cold', to: 'custody:vault' }", "from: 'custody:vault', to: 'custody:cold' }"],
      ['JSON.stringify([log.address, log.topics, log.data])', 'JSON.stringify([log.address, log.topics])'],
      [
        "    case 'dividendFunding':\n    case 'reserveFunding':\n      return true",
        "      return true\n    case 'dividendFunding':\n    case 'reserveFunding':",
      ],
    ],
  ),
]
