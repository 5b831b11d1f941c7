import { ok, type Result, refused } from '@lode/kernel'
import type { Hex } from 'viem'
import { isHex } from 'viem/utils'
import { layersOf } from '../errors.ts'
import { type Provider, read } from '../provider.ts'

/** A node that takes longer counts as one that does not answer. */
const READ_MS = 8_000

/** The chain refused the call. `data` says why, if the contract gives a reason. */
type Reverted = { readonly kind: 'reverted'; readonly data: Hex }
/** `no-node`: there was no usable answer. */
export type CallProblem = Reverted | { readonly kind: 'no-node' }
export const noNode = { kind: 'no-node' } as const

export type AskNode = (method: string, params: readonly unknown[]) => Promise<Result<unknown, CallProblem>>

/** Asks the node behind a wallet, and gives up after `READ_MS`. */
export const askThrough =
  (provider: Provider): AskNode =>
  async (method, params) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const silence = new Promise<Result<unknown, CallProblem>>((resolve) => {
      timer = setTimeout(() => resolve(refused(noNode)), READ_MS)
    })
    const answer = Promise.resolve()
      .then(() => provider.request({ method, params }))
      .then(ok, (thrown: unknown) => refused(revertIn(thrown) ?? noNode))
    const first = await Promise.race([answer, silence])
    clearTimeout(timer)
    return first
  }

/**
 * Finds the chain's refusal in an error. Wallets wrap the node's error in their own. Null if the chain did not refuse.
 */
function revertIn(thrown: unknown): Reverted | null {
  const layers = layersOf(thrown)
  const data = layers
    .map((layer) => (typeof layer === 'string' ? layer : read(layer, 'data')))
    .find((one) => isHex(one))
  if (isHex(data)) return { kind: 'reverted', data }
  const said = layers.some((layer) => {
    const words = typeof layer === 'string' ? layer : read(layer, 'message')
    return read(layer, 'code') === 3 || (typeof words === 'string' && /revert/i.test(words.slice(0, 500)))
  })
  return said ? { kind: 'reverted', data: '0x' } : null
}
