import { least } from '@lode/kernel'
import type { Hex } from 'viem'
import { type ChainNode, isNodeFailure } from '../../platform/chain/node.ts'

type Answers<T> = readonly { readonly node: string; readonly value: T }[]

/** Asks all nodes. One that fails is left out, because the others can answer; throws if all of them fail. */
export async function askAll<T>(
  nodes: readonly ChainNode[],
  ask: (node: ChainNode) => Promise<T>,
): Promise<Answers<T>> {
  const answers: { node: string; value: T }[] = []
  let failure: Error | null = null
  for (const result of await Promise.allSettled(
    nodes.map(async (node) => ({ node: node.name, value: await ask(node) })),
  ))
    if (result.status === 'fulfilled') answers.push(result.value)
    else if (isNodeFailure(result.reason)) failure ??= result.reason
    else throw result.reason
  if (answers.length === 0 && failure) throw failure
  return answers
}

type SentCall = { readonly name: string; readonly hash: Hex }
type Receipt = NonNullable<Awaited<ReturnType<ChainNode['receipt']>>>

/** One node may lie or be behind. So a receipt counts only if all nodes that answer have the same. */
export function agreeOnReceipt({ name, hash }: SentCall, answers: Answers<Receipt | null>): Receipt | string | null {
  const first = answers[0]?.value ?? null
  const isSame = ({ value }: { readonly value: Receipt | null }): boolean =>
    value?.isSuccess === first?.isSuccess && value?.blockNumber === first?.blockNumber
  if (answers.every(isSame)) return first
  const says = answers.map(({ node, value }) => {
    if (!value) return `${node} shows no block with it`
    return `${node} says that it ${value.isSuccess ? 'succeeded' : 'failed'} in block ${value.blockNumber}`
  })
  return `the nodes do not agree about ${name}: transaction ${hash}. ${says.join(', and ')}.`
}

/** The lowest of what the nodes answer: what all of them have. */
export const lowestOf = (answers: Answers<bigint>): bigint =>
  answers.map(({ value }) => value).reduce((one, other) => least(one, other))
