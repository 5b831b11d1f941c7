import { ok, type Result, refused } from '@lode/kernel'
import type { Hex } from 'viem'
import { isHex } from 'viem/utils'
import { answerInTime } from '../answer-in-time.ts'
import { type Provider, read } from '../provider.ts'
import { layersOf } from '../wallet-problem.ts'

/** A node that takes longer counts as not reachable. */
const NODE_TIMEOUT_MS = 8_000

/** The call reverted. `data` is the contract's error, or `0x` if there is none. */
type Reverted = { readonly kind: 'reverted'; readonly data: Hex }
/** `no-node`: there was no usable answer. */
export type CallProblem = Reverted | { readonly kind: 'no-node' }
export const noNode = { kind: 'no-node' } as const

export type AskNode = (method: string, params: readonly unknown[]) => Promise<Result<unknown, CallProblem>>

/** Asks the node behind a wallet, and gives up after `NODE_TIMEOUT_MS`. */
export const askNodeThrough =
  (provider: Provider): AskNode =>
  (method, params) => {
    const answer = Promise.resolve()
      .then(() => provider.request({ method, params }))
      .then(ok, (thrown: unknown) => refused(findRevert(thrown) ?? noNode))
    return answerInTime(answer, NODE_TIMEOUT_MS, refused(noNode))
  }

/**
 * Finds a revert in an error. Wallets wrap the node's error in their own. Null if the error does not report a revert.
 */
function findRevert(thrown: unknown): Reverted | null {
  const layers = layersOf(thrown)
  const data = layers
    .map((layer) => (typeof layer === 'string' ? layer : read(layer, 'data')))
    .find((one) => isHex(one))
  if (isHex(data)) return { kind: 'reverted', data }
  const reportsRevert = layers.some((layer) => {
    const words = typeof layer === 'string' ? layer : read(layer, 'message')
    return read(layer, 'code') === 3 || (typeof words === 'string' && /revert/i.test(words.slice(0, 500)))
  })
  return reportsRevert ? { kind: 'reverted', data: '0x' } : null
}
