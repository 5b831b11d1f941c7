import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/vault'

export const vault: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/list-announcements.ts`,
    [`${folder}/list-announcements.test.ts`],
    [
      ['withdrawnAt >= blockTime', 'withdrawnAt > blockTime'],
      ["        end(key, 'replaced', blockTime)\n", ''],
      ['if (notAfter && at > notAfter)', 'if (notAfter && at >= notAfter)'],
      ['const isExpired = endedAt > announcement.notAfter', 'const isExpired = false'],
      ['if (open.startsWith(`${vault}:`)) end', 'end'],
    ],
  ),
  ...mutantsOf(
    `${folder}/announced-call.ts`,
    [`${folder}/announced-call.test.ts`],
    [
      ['encodeFunctionData({ abi: poolVaultAbi, ...call }) === data ? call : null', 'call'],
      ['call.args[0] === GUARDIAN ? {', 'call.args[0] ? {'],
      ["  [zeroHash, 'grantAdministrator'],\n", ''],
    ],
  ),
]
