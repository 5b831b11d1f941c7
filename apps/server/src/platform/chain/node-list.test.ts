import { once } from 'node:events'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Gauge, Registry } from 'prom-client'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readWorkerConfig } from '../config/config.ts'
import { nodeAt, readNodes } from '../config/node-address.ts'
import { createClients, createNodeList } from './node-list.ts'

let folder: string
const toClose: (() => void)[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lode-nodes-'))
})
afterAll(async () => {
  for (const close of toClose) close()
  await rm(folder, { recursive: true })
})

/** A node that only says on which chain it is. */
async function startNodeOfChain(id: number): Promise<string> {
  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: numberToHex(id) }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  toClose.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

let files = 0
async function startList(first: string, profile: 'production' | 'test' = 'test') {
  files += 1
  const nodesFile = join(folder, `nodes-${files}`)
  await writeFile(nodesFile, first)
  const nodes = readNodes(first)
  if (!nodes.ok) throw new Error(nodes.error)
  const messages: string[] = []
  const refusedMetric = new Gauge({ name: 'refused', help: 'refused', registers: [new Registry()] })
  const list = createNodeList({
    chain: { id: 56, nodes: nodes.value, nodesFile },
    profile,
    refusedMetric,
    log: pino({ level: 'warn' }, { write: (line: string) => messages.push(line) }),
  })
  let written = 0
  return {
    list,
    messages,
    names: () => list().map(({ origin }) => origin),
    isRefused: async () => (await refusedMetric.get()).values[0]?.value === 1,
    remove: () => rm(nodesFile),
    async write(text: string) {
      await writeFile(nodesFile, text)
      // Two writes within the file system's resolution of time would look like one.
      written += 1
      await utimes(nodesFile, 1_000_000 + written, 1_000_000 + written)
    },
  }
}

describe('a file of nodes', () => {
  it('has nodes separated by lines or commas, and comments', () => {
    const text =
      '# our nodes\none=https://one.example/key#1 # paid until May\n\nhttps://two.example, three=https://three.example\n'
    expect(readNodes(text)).toEqual({
      ok: true,
      value: [
        { origin: 'one', url: 'https://one.example/key#1' },
        { origin: 'https://two.example', url: 'https://two.example' },
        { origin: 'three', url: 'https://three.example' },
      ],
    })
    expect(readNodes('one=https://one.example\none.example/secret-key')).toEqual({
      ok: false,
      error: 'entry 2 must be like https://… or provider=https://…',
    })
    expect(readNodes('# nothing')).toEqual({ ok: false, error: 'must have at least one node' })
  })

  it('replaces the nodes in use once it changes, keeps the clients of those that stay, and tells it', async () => {
    const [one, two, three] = [await startNodeOfChain(56), await startNodeOfChain(56), await startNodeOfChain(56)]
    const { list, names, messages, write } = await startList(`one=${one},two=${two}`)
    const clients = createClients(list, ({ origin }) => ({ origin }))
    const [first] = clients()
    expect(names()).toEqual(['one', 'two'])
    await write(`three=${three}\none=${one}`)
    await vi.waitFor(() => expect(names()).toEqual(['three', 'one']))
    expect(clients()[1]).toBe(first)
    expect(messages.join()).toMatch(
      /"inUse":\["three","one"\],"before":\["one","two"\].*the nodes of the chain were replaced/,
    )
  })

  it.each([
    ['that is not valid', 'one=ftp://one.example/secret-key', /entry 1 must be like/],
    ['with nodes of one provider', 'one=https://a.example,one=https://b.example', /must have nodes of two providers/],
    ['without the names of the providers', 'https://a.example,https://b.example', /must name the provider/],
  ])('(%s) changes nothing in production, and the alarm says what is wrong', async (_what, text, reason) => {
    const { names, messages, write, isRefused } = await startList(
      'one=http://127.0.0.1:9,two=http://127.0.0.1:7',
      'production',
    )
    await write(text)
    await vi.waitFor(() => {
      names()
      expect(messages.join()).toMatch(/ALARM: CHAIN_RPC_FILE is not used/)
    })
    expect(messages.join()).toMatch(reason)
    expect(messages.join()).not.toContain('secret-key')
    expect(names()).toEqual(['one', 'two'])
    expect(await isRefused()).toBe(true)
    await write('two=http://127.0.0.1:7,one=http://127.0.0.1:9')
    await vi.waitFor(() => expect(names()).toEqual(['two', 'one']))
    expect(await isRefused()).toBe(false)
  })

  it('changes nothing if it has a node of another chain, or is removed', async () => {
    const { names, messages, write, remove } = await startList(`one=${await startNodeOfChain(56)}`)
    await write(`two=${await startNodeOfChain(1)}`)
    await vi.waitFor(() => {
      names()
      expect(messages.join()).toContain('the node of two is on chain 1')
    })
    await remove()
    await vi.waitFor(() => {
      names()
      expect(messages.join()).toContain('it cannot be read: ENOENT')
    })
    expect(names()).toEqual(['one'])
  })
})

describe('the configuration', () => {
  const environment = {
    LODE_PROFILE: 'production',
    DATABASE_URL: 'postgres://lode_worker:x@127.0.0.1:5432/lode',
    CHAIN_ID: '56',
    CHAIN_NAME: 'Chain',
    CHAIN_PUBLIC_RPC_URL: 'https://rpc.example.org',
    WORKER_PORT: '8081',
    ...Object.fromEntries(
      ['VAULT_ADDRESS', 'USDT_ADDRESS', 'BTN_ADDRESS', 'BTC_ADDRESS', 'BTC_PRICE_FEED', 'BTN_PRICE_FEED'].map(
        (name, index) => [name, `0x000000000000000000000000000000000000100${index}`],
      ),
    ),
    VAULT_FIRST_BLOCK: '1',
  }

  it('has the nodes of the file, under the same rules as CHAIN_RPC_URL', async () => {
    const file = join(folder, 'configured')
    const read = () => readWorkerConfig({ ...environment, CHAIN_RPC_FILE: file })
    expect(read()).toMatchObject({ error: [expect.stringMatching(/^CHAIN_RPC_FILE: cannot be read: ENOENT/)] })
    await writeFile(file, 'one=https://one.example\n')
    expect(read()).toMatchObject({ error: ['CHAIN_RPC_FILE: must have nodes of two providers or more in production'] })
    await writeFile(file, 'one=https://one.example\ntwo=https://two.example\n')
    expect(read()).toMatchObject({
      value: { chain: { nodes: [{ origin: 'one' }, { origin: 'two' }], nodesFile: file } },
    })
    expect(
      readWorkerConfig({ ...environment, CHAIN_RPC_FILE: file, CHAIN_RPC_URL: nodeAt('https://x.example').url }),
    ).toMatchObject({ error: ['CHAIN_RPC_FILE: cannot be set together with CHAIN_RPC_URL'] })
  })
})
