import { read } from './provider.ts'

/**
 * Every way in which a wallet request can fail. `refused`: the member said no; never shown as an error. `pending`: an
 * earlier request is still open in the wallet. `silent`: the wallet did not answer in time, although the member has
 * nothing to confirm.
 */
export type WalletProblem =
  | 'refused'
  | 'pending'
  | 'disconnected'
  | 'chain-unknown'
  | 'unsupported'
  | 'silent'
  | 'other'

const BY_CODE = new Map<string, WalletProblem>([
  ['4001', 'refused'],
  ['ACTION_REJECTED', 'refused'],
  // WalletConnect's own code.
  ['5000', 'refused'],
  ['-32002', 'pending'],
  ['4900', 'disconnected'],
  ['4901', 'disconnected'],
  ['4902', 'chain-unknown'],
  ['4200', 'unsupported'],
  ['-32601', 'unsupported'],
  ['UNSUPPORTED_OPERATION', 'unsupported'],
])

/**
 * For wallets that put the reason only into the message. Such errors have the code -32000 or -32603, no code, or are a
 * bare string.
 */
const BY_MESSAGE: readonly (readonly [RegExp, WalletProblem])[] = [
  [/user (?:rejected|denied|cancell?ed|disapproved)|(?:rejected|cancell?ed|denied) by (?:the )?user/i, 'refused'],
  [/[用使][户戶用]者?(?:已|主动|主動)?(?:拒绝|拒絕|取消)/, 'refused'],
  [/already (?:pending|processing)|request .*pending/i, 'pending'],
  [/unrecognized chain|chain .*(?:not (?:been )?added|unknown)|unknown chain/i, 'chain-unknown'],
  [/method .*(?:not (?:found|supported)|unsupported)|does not support/i, 'unsupported'],
]

/** Properties under which wallets and their libraries wrap the original error. */
const WRAPPERS = ['cause', 'error', 'data', 'originalError', 'info'] as const
const MAX_DEPTH = 5

export function walletProblemOf(thrown: unknown): WalletProblem {
  const layers = layersOf(thrown)
  for (const layer of layers) {
    const code = read(layer, 'code')
    const known = typeof code === 'number' || typeof code === 'string' ? BY_CODE.get(String(code)) : undefined
    if (known) return known
  }
  for (const layer of layers) {
    const words = typeof layer === 'string' ? layer : read(layer, 'message')
    const known =
      typeof words === 'string' ? BY_MESSAGE.find(([pattern]) => pattern.test(words.slice(0, 500))) : undefined
    if (known) return known[1]
  }
  return 'other'
}

/** An error and the errors that it wraps, outermost first. */
export const layersOf = (thrown: unknown): readonly unknown[] => unwrap(thrown, MAX_DEPTH)

/** The depth is limited, because an error can be its own cause. */
function unwrap(thrown: unknown, depth: number): unknown[] {
  if (thrown === undefined || thrown === null || depth === 0) return []
  return [thrown, ...WRAPPERS.flatMap((key) => unwrap(read(thrown, key), depth - 1))]
}
