import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseTransaction } from '../platform/bitcoin/transaction.ts'

type Known = { readonly hex: string; confirmations: number }

export type TestBitcoinNode = {
  /** With the user name and password that the node asks for. */
  readonly url: URL
  /** `refuse`: answers as Bitcoin Core does while it starts. */
  mode: 'work' | 'hang' | 'refuse'
  /** Makes a transaction with an output of each value, in satoshis, and returns its id. */
  addTransaction(values: readonly bigint[], confirmations: number): string
  confirm(transactionId: string, confirmations: number): void
  /** From now on the node answers with the bytes of the other transaction. */
  swap(transactionId: string, other: string): void
  close(): Promise<void>
}

/**
 * Answers `getrawtransaction` as Bitcoin Core does, from transactions that the test makes. Bitcoin Core itself is in none of
 * the package sources that the tests may use.
 */
export async function startBitcoinNode(): Promise<TestBitcoinNode> {
  const known = new Map<string, Known>()
  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    if (node.mode === 'hang') return
    const isAllowed = incoming.headers.authorization === `Basic ${Buffer.from('lode:p@ss').toString('base64')}`
    if (!isAllowed) return response.writeHead(401).end()
    const { id, method, params } = JSON.parse(body) as { id: unknown; method: string; params: [string, boolean] }
    if (method !== 'getrawtransaction' || params[1] !== true) return response.writeHead(404).end()
    const found = known.get(params[0])
    const fail = (code: number, message: string) => ({ id, result: null, error: { code, message } })
    const answer =
      node.mode === 'refuse'
        ? fail(-28, 'Loading block index…')
        : found
          ? { id, error: null, result: found.confirmations > 0 ? found : { hex: found.hex } }
          : fail(-5, 'No such mempool or blockchain transaction.')
    response.writeHead(answer.error ? 500 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const node: TestBitcoinNode = {
    url: new URL(`http://lode:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`),
    mode: 'work',
    addTransaction(values, confirmations) {
      const bytes = serializeTransaction(values)
      const parsed = parseTransaction(bytes)
      if (!parsed.ok) throw new Error(parsed.error)
      known.set(parsed.value.id, { hex: bytes.toString('hex'), confirmations })
      return parsed.value.id
    },
    confirm(transactionId, confirmations) {
      const one = known.get(transactionId)
      if (one) one.confirmations = confirmations
    },
    swap(transactionId, other) {
      const one = known.get(other)
      if (one) known.set(transactionId, one)
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return node
}

/** A transaction with one random input, without signatures. */
function serializeTransaction(values: readonly bigint[]): Buffer {
  const outputs = values.map((value) => {
    const output = Buffer.alloc(9)
    output.writeBigUInt64LE(value)
    return output
  })
  return Buffer.concat([
    Buffer.from('0200000001', 'hex'),
    randomBytes(36),
    Buffer.from('00ffffffff', 'hex'),
    Buffer.from([values.length]),
    ...outputs,
    Buffer.alloc(4),
  ])
}
