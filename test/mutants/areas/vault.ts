import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/vault'

export const vault: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/announcement.ts`,
    [`${folder}/queries.integration.test.ts`],
    [
      ['if ((ending?.blockTime ?? at) > notAfter)', 'if ((ending?.blockTime ?? at) >= notAfter)'],
      ['if ((ending?.blockTime ?? at) > notAfter)', 'if (!ending && at > notAfter)'],
    ],
  ),
  ...mutantsOf(
    `${folder}/queries.ts`,
    [`${folder}/queries.integration.test.ts`],
    [
      ['      or tx = any (${transactions}::bytea[])', ''],
      ['      or block_number > greatest(${last}, ${highestPosted}::bigint)\n', ''],
      ['where block_number between ${first} and ${last}', 'where false'],
      [
        "event.block_time > coalesce(withdrawn.at, '-infinity')",
        "event.block_time >= coalesce(withdrawn.at, '-infinity')",
      ],
      ['later.block_time >= event.block_time', 'later.block_time > event.block_time'],
      ["where event.name = 'Announced' and posted_time <=", 'where posted_time <='],
      ["interval '9 days'", "interval '8 days'"],
      ['where may_have_effect or place <= ${MAX_LISTED}', 'where place <= ${MAX_LISTED}'],
    ],
  ),
  ...mutantsOf(
    `${folder}/announced-call.ts`,
    [`${folder}/announced-call.test.ts`],
    [
      ['encodeFunctionData({ abi, ...call }) === data ? call : null', 'call'],
      ['call.args[0] === GUARDIAN ? {', 'call.args[0] ? {'],
      ["  [zeroHash, 'grantAdministrator'],\n", ''],
    ],
  ),
]
