import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy in front of a chain node. A test can cut all connections to the node, or leave requests unanswered. */
export async function startNodeProxy(rpcUrl: string) {
  const node = new URL(rpcUrl)
  const open = new Set<Socket>()
  let server: Server
  let isUnresponsive = false
  /** The connections that sent a request while the node was silent. */
  const unanswered = new Set<Socket>()

  async function listen(port: number): Promise<number> {
    server = createServer((caller) => {
      const upstream = connect(Number(node.port), node.hostname)
      for (const socket of [caller, upstream]) {
        open.add(socket)
        socket.on('close', () => open.delete(socket))
        socket.on('error', () => {})
      }
      caller.on('close', () => upstream.destroy())
      upstream.on('close', () => caller.destroy())
      caller.on('data', (request) => {
        if (isUnresponsive) unanswered.add(caller)
        else upstream.write(request)
      })
      upstream.pipe(caller)
    }).listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as { port: number }).port
  }

  async function close(): Promise<void> {
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }

  const port = await listen(0)
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    /** Nobody can reach the node. Open requests are not answered. */
    close,
    reopen: async (): Promise<void> => void (await listen(port)),
    /** The node accepts every request and answers none. */
    stopAnswering(): void {
      isUnresponsive = true
    },
    /** The node answers again. Requests from the silent time stay unanswered: their connections are closed. */
    resumeAnswering(): void {
      isUnresponsive = false
      for (const socket of unanswered) socket.destroy()
      unanswered.clear()
    },
  }
}
