import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * `refuses`: connections are refused. `hangs`: requests are accepted and never answered. `lies`: some answers are
 * changed.
 */
export type ProxyMode = 'works' | 'refuses' | 'hangs' | 'lies'

export type RpcRequest = { readonly method: string; readonly params: readonly unknown[] }
type RpcAnswer = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}
/** Changes an answer of the real node. */
export type Lie = (request: RpcRequest, answer: RpcAnswer) => RpcAnswer

/**
 * The connection between the server and its chain node, which can be cut or made to lie. The simulator itself does not
 * use it.
 */
export class NodeProxy {
  readonly #nodePort: number
  readonly #server = createServer((caller) => this.#take(caller))
  readonly #liar = createHttpServer((request, response) => void this.#answerFalsely(request, response))
  readonly #open = new Set<Socket>()
  #mood: ProxyMode = 'works'
  #lie: Lie = (_request, answer) => answer

  private constructor(nodePort: number) {
    this.#nodePort = nodePort
  }

  static async start(nodePort: number): Promise<NodeProxy> {
    const line = new NodeProxy(nodePort)
    for (const server of [line.#server, line.#liar]) {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    }
    return line
  }

  get rpcUrl(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`
  }

  get mode(): ProxyMode {
    return this.#mood
  }

  /** Cuts all open connections. */
  set mode(mode: ProxyMode) {
    this.#mood = mode
    for (const socket of this.#open) socket.destroy()
  }

  /** From now on the node tells this lie, until another mode is set. */
  tell(lie: Lie): void {
    this.#lie = lie
    this.mode = 'lies'
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    this.#liar.closeAllConnections()
    await Promise.all([this.#server, this.#liar].map((server) => once(server.close(), 'close')))
  }

  #take(caller: Socket): void {
    this.#keep(caller)
    switch (this.#mood) {
      case 'refuses':
        caller.destroy()
        return
      case 'hangs':
        caller.resume()
        return
      case 'works':
      case 'lies': {
        const node = connect(this.#mood === 'works' ? this.#nodePort : portOf(this.#liar), '127.0.0.1')
        this.#keep(node)
        caller.pipe(node).pipe(caller)
        caller.on('close', () => node.destroy())
        node.on('close', () => caller.destroy())
      }
    }
  }

  async #answerFalsely(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      let body = ''
      for await (const chunk of incoming) body += chunk
      const request = JSON.parse(body) as RpcRequest & { readonly id: number }
      const headers = { 'content-type': 'application/json' }
      const real = await fetch(`http://127.0.0.1:${this.#nodePort}`, { method: 'POST', headers, body })
      const { result, error } = (await real.json()) as RpcAnswer
      const answer = this.#lie({ ...request, params: request.params ?? [] }, error ? { error } : { result })
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...answer }))
    } catch {
      // The caller or the real node is gone.
      response.destroy()
    }
  }

  #keep(socket: Socket): void {
    this.#open.add(socket)
    socket.on('close', () => this.#open.delete(socket))
    socket.on('error', () => {})
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port
