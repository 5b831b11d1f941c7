import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { testStack } from './stack.ts'

type RpcRequest = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
type RpcAnswer = { readonly result?: unknown; readonly error?: RpcError }
type RpcError = { readonly code: number; readonly message: string; readonly data?: string }

export type UnreliableNode = {
  readonly rpcUrl: string
  /** The URL of the real node behind it. */
  target: string
  /** `hang`: accepts the request and never answers. `fail`: answers with an error of its own. */
  mode: 'work' | 'hang' | 'fail'
  /** Changes the real node's answers. */
  changeAnswer: (request: RpcRequest, answer: RpcAnswer) => RpcAnswer | Promise<RpcAnswer>
  /** The most requests that it had open at one time. */
  maxOpenRequests(): number
  close(): Promise<void>
}

/** A proxy of a real chain node that can stop answering, as providers do, or lie. */
export async function startUnreliableNode(target = testStack().rpcUrl): Promise<UnreliableNode> {
  let open = 0
  let most = 0
  const server = createServer(async (incoming, response) => {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => {
      open -= 1
    })
    let body = ''
    for await (const chunk of incoming) body += chunk
    if (node.mode === 'hang') return
    response.setHeader('content-type', 'application/json')
    const request: RpcRequest = { params: [], ...JSON.parse(body) }
    const received = node.mode === 'fail' ? RATE_LIMITED : await forwardRequest(node.target, body)
    // If the real node is gone, the connection is closed without an answer.
    if (received === null) return response.destroy()
    const answer = received === RATE_LIMITED ? RATE_LIMITED : await node.changeAnswer(request, received)
    response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...answer }))
  }).listen(0, '127.0.0.1')
  // Otherwise the server closes idle connections after five seconds, perhaps while a client is about to use one.
  server.keepAliveTimeout = 0
  await once(server, 'listening')
  const node: UnreliableNode = {
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
    mode: 'work',
    changeAnswer: (_request, answer) => answer,
    maxOpenRequests: () => most,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return node
}

const RATE_LIMITED: RpcAnswer = { error: { code: -32_005, message: 'limit exceeded' } }

/** Null if the node does not answer. */
async function forwardRequest(url: string, body: string): Promise<RpcAnswer | null> {
  try {
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await answer.json()) as RpcAnswer
    return error ? { error } : { result: result ?? null }
  } catch {
    return null
  }
}
