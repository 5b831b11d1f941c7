import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/identity'

export const identity: readonly Mutant[] = [
  ...mutantsOf(
    'apps/server/src/platform/chain/signature-verifier.ts',
    ['apps/server/src/modules/identity/contract-wallets.integration.test.ts'],
    [
      ['if (keyProof && (await isSignedByKeyOf(account, keyProof)))', 'if (false)'],
      ['if (keyProof && (await isSignedByKeyOf(account, keyProof)))', 'if (keyProof)'],
      ['Math.min(2, new Set(nodes.map(({ origin }) => origin)).size)', '1'],
      ['accepting.size >= needed && refusing.size === 0', 'accepting.size >= needed'],
    ],
  ),
  ...mutantsOf(
    `${folder}/rules.ts`,
    [`${folder}/rules.test.ts`],
    [
      ['hexToBigInt(text) < RESERVED_BELOW', 'hexToBigInt(text) <= 0n'],
      ['now.getTime() - idleSeconds * 1_000', 'now.getTime()'],
      ['>= LAST_ACTION_STEP_SECONDS * 1_000', '> LAST_ACTION_STEP_SECONDS * 1_000'],
      ['policy.restricted.has(country.toUpperCase())', 'policy.restricted.has(country)'],
      ['country === undefined || !/^[A-Za-z]{2}$/.test(country)', 'country === undefined'],
    ],
  ),
  ...mutantsOf(
    `${folder}/sign-in-message.ts`,
    [`${folder}/sign-in-message.test.ts`],
    [
      ['const MESSAGE_LIFETIME_MS = 5 * 60_000', 'const MESSAGE_LIFETIME_MS = 6 * 60_000'],
      ['message.issuedAt > now', 'message.issuedAt >= now'],
      ['now < expiryOf(message)', 'now <= expiryOf(message)'],
      ['isSameText(writeMessage(issuer, message), text) ?', 'writeMessage(issuer, message) ?'],
      ['    chainId: site.chainId,\n', '    chainId: 56,\n'],
      ['.update(unsealed)', '.update(random)'],
    ],
  ),
  ...mutantsOf(
    `${folder}/secrets.ts`,
    [`${folder}/secrets.test.ts`],
    [
      ['const TOKEN_BYTES = 32', 'const TOKEN_BYTES = 16'],
      ['.update(normalizeCrockford(code))', '.update(code)'],
    ],
  ),
  ...mutantsOf(
    `${folder}/browser.ts`,
    [`${folder}/browser.test.ts`],
    [['.update(`${account} ${deviceId}`)', '.update(deviceId)']],
  ),
  ...mutantsOf(
    `${folder}/sweep.ts`,
    [`${folder}/sweep.integration.test.ts`],
    [
      ['const NONCE_GRACE_SECONDS = 60 * 60', 'const NONCE_GRACE_SECONDS = 0'],
      ['if (rows < BigInt(BATCH_SIZE)) return total', 'return total'],
    ],
  ),
  ...mutantsOf(
    `${folder}/queries.ts`,
    [`${folder}/session-expiry.integration.test.ts`],
    [
      ['session.last_action_at > lode.now()', 'session.last_action_at >= lode.now()', { only: 'ends exactly' }],
      ['session.created_at > lode.now()', 'session.created_at >= lode.now()', { only: 'ends exactly' }],
      [
        ' and last_action_at < ${actedAt}',
        '',
        {
          only: 'false idle time',
          reason: 'Only two calls at the same moment differ: each has compared with the time that it read before.',
        },
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/commands.ts`,
    [`${folder}/sign-in.integration.test.ts`],
    [
      [
        'return numAffectedRows === 1n',
        'return numAffectedRows !== null',
        { tests: [`${folder}/attacks.integration.test.ts`], only: 'a signature that was used' },
      ],
      [
        '!== signIn.purpose.inviterTail',
        "=== ''",
        { reason: 'The api wrote code and address into the text together, and a code never changes its owner.' },
      ],
    ],
  ),
]
