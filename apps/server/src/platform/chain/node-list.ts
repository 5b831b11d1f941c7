import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { ok, type Result, refused } from '@lode/kernel'
import type { Logger } from 'pino'
import type { Gauge } from 'prom-client'
import type { ChainConfig, Profile } from '../config/config.ts'
import { findNodeErrors, type NodeAddress, readNodes } from '../config/node-address.ts'
import { checkChainId } from './chain-id.ts'

/** Returns the nodes that are in use now. An address that stays in use stays the same object. */
export type NodeList = () => readonly NodeAddress[]

type Options = {
  readonly chain: Pick<ChainConfig, 'id' | 'nodes' | 'nodesFile'>
  readonly profile: Profile
  /** 1 while the file holds a list that is not used. */
  readonly refusedMetric: Gauge
  readonly log: Logger
}

/**
 * Without a file, the nodes never change. With one, each call looks at the file's state. If that changed, the file is
 * read in the background; until then the old nodes stay in use. They also stay in use if the new list is not valid, if
 * production's rules forbid it, or if one of its nodes is on another chain. So a mistake in the file stops nothing.
 */
export function createNodeList({ chain, profile, refusedMetric, log }: Options): NodeList {
  const { nodesFile } = chain
  let inUse = chain.nodes
  if (nodesFile === null) return () => inUse
  let seen = ''
  let isReading = false

  async function readAgain(file: string): Promise<void> {
    const found = await readNodesFile(file, chain.id, profile)
    refusedMetric.set(found.ok ? 0 : 1)
    if (!found.ok) {
      log.error({ reason: found.error, inUse: namesOf(inUse) }, 'ALARM: CHAIN_RPC_FILE is not used; the old nodes are')
      return
    }
    const before = inUse
    const known = new Map(before.map((node) => [`${node.origin} ${node.url}`, node]))
    inUse = found.value.map((node) => known.get(`${node.origin} ${node.url}`) ?? node)
    const isSame = inUse.length === before.length && inUse.every((node, index) => node === before[index])
    if (!isSame) log.warn({ inUse: namesOf(inUse), before: namesOf(before) }, 'the nodes of the chain were replaced')
  }

  return () => {
    const state = fileState(nodesFile)
    if (state !== seen && !isReading) {
      seen = state
      isReading = true
      void readAgain(nodesFile).finally(() => {
        isReading = false
      })
    }
    return inUse
  }
}

/** Returns a function that makes a client of each node in use, once for each address. */
export function createClients<Client>(nodes: NodeList, create: (address: NodeAddress) => Client): () => Client[] {
  const clients = new WeakMap<NodeAddress, { readonly client: Client }>()
  return () =>
    nodes().map((address) => {
      const known = clients.get(address) ?? { client: create(address) }
      clients.set(address, known)
      return known.client
    })
}

const namesOf = (nodes: readonly NodeAddress[]): string[] => nodes.map(({ origin }) => origin)

/** A text that changes when the file is written, replaced or removed. */
function fileState(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : 'missing'
}

async function readNodesFile(file: string, chainId: number, profile: Profile): Promise<Result<NodeAddress[], string>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (typeof text !== 'string') return refused(`it cannot be read: ${text.code}`)
  const nodes = readNodes(text)
  if (!nodes.ok) return nodes
  const [broken] = profile === 'production' ? findNodeErrors(text) : []
  if (broken !== undefined) return refused(broken)
  const check = await checkChainId({ id: chainId, nodes: nodes.value })
  return check.kind === 'mismatch' ? refused(`the node of ${check.origin} is on chain ${check.found}`) : ok(nodes.value)
}
