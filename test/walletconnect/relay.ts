import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

type Message = { readonly topic: string; readonly message: string; readonly tag: number; readonly publishedAt: number }
type Params = Readonly<Record<string, unknown>>

/** A client by the key that signed its login. Messages of its topics are kept while it has no connection. */
type Client = {
  readonly topics: Set<string>
  /** The topics that the client has asked for over its present connection. */
  readonly asked: Set<string>
  readonly undelivered: Message[]
  socket: WebSocket | null
}

/**
 * A relay of WalletConnect inside the test: it passes encrypted messages between clients by topic, and keeps them for
 * clients without a connection. It can go away and return at the same port.
 */
export async function startRelay() {
  const clients = new Map<string, Client>()
  let server = await listen(0)
  const { port } = server.address() as AddressInfo

  function publish(sender: Client, topic: string, message: string, tag: number): void {
    for (const client of clients.values()) {
      if (client === sender || !client.topics.has(topic)) continue
      client.undelivered.push({ topic, message, tag, publishedAt: Date.now() })
      deliver(client)
    }
    // A client that subscribes later still gets the message, as a wallet that scans a code does.
    history.push({ sender, topic, message, tag, publishedAt: Date.now() })
  }
  const history: (Message & { sender: Client })[] = []

  function subscribe(client: Client, topic: string): string {
    if (!client.topics.has(topic)) {
      client.topics.add(topic)
      client.undelivered.push(...history.filter((sent) => sent.topic === topic && sent.sender !== client))
    }
    client.asked.add(topic)
    setImmediate(() => deliver(client))
    return `subscription of ${topic}`
  }

  /** Sends what the client has not received of topics that it has asked for. The rest stays for later. */
  function deliver(client: Client): void {
    if (client.socket?.readyState !== 1) return
    const waiting = client.undelivered.splice(0)
    client.undelivered.push(...waiting.filter(({ topic }) => !client.asked.has(topic)))
    for (const { topic, message, tag, publishedAt } of waiting.filter((one) => client.asked.has(one.topic))) {
      const data = { topic, message, tag, publishedAt }
      const params = { id: `subscription of ${topic}`, data }
      client.socket.send(JSON.stringify({ jsonrpc: '2.0', id: nextId++, method: 'irn_subscription', params }))
    }
  }
  let nextId = 1

  function answer(client: Client, method: string, params: Params): unknown {
    const text = (name: string) => String(params[name])
    const topics = () => params.topics as string[]
    switch (method) {
      case 'irn_publish':
        publish(client, text('topic'), text('message'), Number(params.tag))
        return true
      case 'irn_subscribe':
        return subscribe(client, text('topic'))
      case 'irn_batchSubscribe':
        return topics().map((topic) => subscribe(client, topic))
      case 'irn_unsubscribe':
        return client.topics.delete(text('topic'))
      case 'irn_batchFetchMessages':
        return { messages: [], hasMore: false }
      case 'wc_proposeSession':
        subscribe(client, text('pairingTopic'))
        publish(client, text('pairingTopic'), text('sessionProposal'), 1100)
        return true
      case 'wc_approveSession':
        subscribe(client, text('sessionTopic'))
        publish(client, text('pairingTopic'), text('sessionProposalResponse'), 1101)
        publish(client, text('sessionTopic'), text('sessionSettlementRequest'), 1102)
        return true
      default:
        throw new Error(`The relay does not know ${method}`)
    }
  }

  async function listen(at: number): Promise<WebSocketServer> {
    const started = new WebSocketServer({ host: '127.0.0.1', port: at })
    started.on('connection', (socket, request) => {
      const login = new URL(request.url ?? '', 'http://relay').searchParams.get('auth') ?? ''
      const { iss } = JSON.parse(Buffer.from(login.split('.')[1] ?? '', 'base64url').toString())
      const client = clients.get(iss) ?? { topics: new Set(), asked: new Set(), undelivered: [], socket: null }
      client.asked.clear()
      client.socket = socket
      clients.set(iss, client)
      socket.on('message', (raw) => {
        const { id, method, params } = JSON.parse(String(raw))
        if (method === undefined) return
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: answer(client, method, params) }))
      })
    })
    await once(started, 'listening')
    return started
  }

  /** Ends every connection and answers no new one. */
  async function goAway(): Promise<void> {
    for (const socket of server.clients) socket.terminate()
    await new Promise((resolve) => server.close(resolve))
  }

  return {
    url: `ws://127.0.0.1:${port}`,
    goAway,
    comeBack: async () => {
      server = await listen(port)
    },
    close: goAway,
  }
}
