import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Stands before a chain node, so that a test can cut everybody off from it while the node itself goes on. */
export async function openGate(rpcUrl: string) {
  const node = new URL(rpcUrl)
  const open = new Set<Socket>()
  let server: Server

  async function listen(port: number): Promise<number> {
    server = createServer((caller) => {
      const onward = connect(Number(node.port), node.hostname)
      for (const socket of [caller, onward]) {
        open.add(socket)
        socket.on('close', () => open.delete(socket))
        socket.on('error', () => {})
      }
      caller.on('close', () => onward.destroy())
      onward.on('close', () => caller.destroy())
      caller.pipe(onward).pipe(caller)
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
    /** Nobody reaches the node any more, and what was being asked is not answered. */
    close,
    reopen: async (): Promise<void> => void (await listen(port)),
  }
}
