import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy in front of a chain node: a test can cut everybody off from the node, or leave questions unanswered. */
export async function openGate(rpcUrl: string) {
  const node = new URL(rpcUrl)
  const open = new Set<Socket>()
  let server: Server
  let isSilent = false
  /** The connections that asked something while the node was silent. */
  const unanswered = new Set<Socket>()

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
      caller.on('data', (question) => {
        if (isSilent) unanswered.add(caller)
        else onward.write(question)
      })
      onward.pipe(caller)
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
    /** The node takes every question and answers none. */
    silence(): void {
      isSilent = true
    },
    /** The node answers again. What was asked meanwhile stays unanswered: its connections end. */
    endSilence(): void {
      isSilent = false
      for (const socket of unanswered) socket.destroy()
      unanswered.clear()
    },
  }
}
