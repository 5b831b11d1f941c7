import * as z from 'zod'
import { parseTransaction } from './transaction.ts'

/** What a Bitcoin node says of an output. `unconfirmed`: it is in no block, or too few blocks follow it. */
export type OutputAnswer =
  | { readonly state: 'found'; readonly value: bigint }
  | { readonly state: 'missing' | 'unconfirmed' | 'unanswered' }

export type BitcoinNode = { readOutput(transactionId: string, index: number): Promise<OutputAnswer> }

/** Counting the block that contains it. Exchanges and mining pools wait for as many. */
const CONFIRMATIONS_NEEDED = 6
const ANSWER_WITHIN_MS = 10_000

/** Bitcoin Core's answer if it knows no transaction with this id. */
const NO_SUCH_TRANSACTION = -5

const answerSchema = z.object({
  result: z.nullable(z.object({ hex: z.string(), confirmations: z.number().optional() })),
  error: z.nullable(z.object({ code: z.number() })),
})

/**
 * Asks a Bitcoin Core node (`getrawtransaction`, which needs its setting `txindex=1`). The node is believed about the
 * confirmations only: the output's value is read from the transaction's bytes, whose hash must be the id.
 */
export function createBitcoinNode(address: URL): BitcoinNode {
  const { username, password } = address
  const url = new URL(address)
  url.username = ''
  url.password = ''
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')

  async function ask(transactionId: string): Promise<z.output<typeof answerSchema>> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${credentials}` },
      body: JSON.stringify({ jsonrpc: '1.0', id: 'lode', method: 'getrawtransaction', params: [transactionId, true] }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    return answerSchema.parse(await response.json())
  }

  return {
    async readOutput(transactionId, index) {
      const answer = await ask(transactionId).catch(() => null)
      if (answer?.error?.code === NO_SUCH_TRANSACTION) return { state: 'missing' }
      if (!answer?.result) return { state: 'unanswered' }
      const transaction = parseTransaction(Buffer.from(answer.result.hex, 'hex'))
      // Bytes of another transaction are no answer.
      if (!transaction.ok || transaction.value.id !== transactionId) return { state: 'unanswered' }
      const value = transaction.value.outputs[index]
      if (value === undefined) return { state: 'missing' }
      return (answer.result.confirmations ?? 0) >= CONFIRMATIONS_NEEDED
        ? { state: 'found', value }
        : { state: 'unconfirmed' }
    },
  }
}
