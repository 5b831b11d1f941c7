import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { testStack } from './stack.ts'

export type UnreliableNode = {
  readonly rpcUrl: string
  /** `hang`: takes the request and never answers. `fail`: answers with an error of its own. */
  mood: 'work' | 'hang' | 'fail'
  /** The most requests that it had open at one time. */
  mostAtOnce(): number
  close(): Promise<void>
}

/** Stands before the real chain node and can stop answering, as providers do. */
export async function startUnreliableNode(): Promise<UnreliableNode> {
  let open = 0
  let most = 0
  const server = createServer(async (request, response) => {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => {
      open -= 1
    })
    let body = ''
    for await (const chunk of request) body += chunk
    if (node.mood === 'hang') return
    response.setHeader('content-type', 'application/json')
    if (node.mood === 'fail') {
      const { id } = JSON.parse(body) as { id: number }
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_005, message: 'limit exceeded' } }))
      return
    }
    const answer = await fetch(testStack().rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    response.end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const node: UnreliableNode = {
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mood: 'work',
    mostAtOnce: () => most,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return node
}
