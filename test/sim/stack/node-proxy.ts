import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `refuses`: connections are refused. `hangs`: requests are accepted and never answered. */
export type ProxyMode = 'works' | 'refuses' | 'hangs'

/** The connection between the server and its chain node, which can be cut. The simulator itself does not use it. */
export class NodeProxy {
  readonly #nodePort: number
  readonly #server = createServer((caller) => this.#take(caller))
  readonly #open = new Set<Socket>()
  #mood: ProxyMode = 'works'

  private constructor(nodePort: number) {
    this.#nodePort = nodePort
  }

  static async start(nodePort: number): Promise<NodeProxy> {
    const line = new NodeProxy(nodePort)
    line.#server.listen(0, '127.0.0.1')
    await once(line.#server, 'listening')
    return line
  }

  get rpcUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get mode(): ProxyMode {
    return this.#mood
  }

  /** Cuts all open connections. */
  set mode(mode: ProxyMode) {
    this.#mood = mode
    for (const socket of this.#open) socket.destroy()
  }

  async close(): Promise<void> {
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
    await once(this.#server, 'close')
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
      case 'works': {
        const node = connect(this.#nodePort, '127.0.0.1')
        this.#keep(node)
        caller.pipe(node).pipe(caller)
        caller.on('close', () => node.destroy())
        node.on('close', () => caller.destroy())
      }
    }
  }

  #keep(socket: Socket): void {
    this.#open.add(socket)
    socket.on('close', () => this.#open.delete(socket))
    socket.on('error', () => {})
  }
}
