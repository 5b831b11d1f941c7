import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { freePort, type Running, startProcess } from './process.ts'

export type Anvil = { readonly rpcUrl: string; readonly chainId: number; readonly port: number } & Pick<
  Running,
  'pid' | 'stop' | 'ended'
>

type Options = {
  port?: number
  chainId?: number
  /** Kept between runs where given. */
  stateFile?: string
  /** How often it is written while the node runs; at its end it always is. */
  stateIntervalSeconds?: number
  blockTimeSeconds?: number
  /** When its first block is, where that is not now; its time goes on from there. */
  firstBlockAt?: Date
  /** Transactions stand in their block in the order in which they came, whatever they pay. */
  firstComeFirst?: boolean
  /** `finalized` lies two epochs behind `latest`: 1 where finality should come at once, 32 as on the main net. */
  slotsInAnEpoch?: number
  /** Gives up the wait for it to become ready. */
  signal?: AbortSignal
}

/** A real chain node on loopback, with ten funded accounts of the well-known development mnemonic. */
export async function startAnvil(options: Options = {}): Promise<Anvil> {
  const port = options.port ?? (await freePort())
  const chainId = options.chainId ?? 31_337
  const rpcUrl = `http://127.0.0.1:${port}`
  if (options.stateFile !== undefined) keepFirstGenesis(options.stateFile)
  const node = await startProcess({
    name: 'anvil',
    command: binary(),
    args: [
      ...['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)],
      ...['--slots-in-an-epoch', String(options.slotsInAnEpoch ?? 1)],
      ...(options.blockTimeSeconds === undefined ? [] : ['--block-time', String(options.blockTimeSeconds)]),
      ...(options.firstBlockAt === undefined
        ? []
        : ['--timestamp', String(Math.floor(options.firstBlockAt.getTime() / 1_000))]),
      ...(options.firstComeFirst ? ['--order', 'fifo'] : []),
      ...(options.stateFile === undefined
        ? []
        : ['--state', options.stateFile, '--state-interval', String(options.stateIntervalSeconds ?? 5)]),
      '--silent',
    ],
    ready: () => answersRpc(rpcUrl),
    signal: options.signal,
  })
  return { rpcUrl, chainId, port, pid: node.pid, stop: node.stop, ended: node.ended }
}

type State = { blocks: { header: { number: string; timestamp: string } }[] }

/**
 * The node makes itself a genesis block at every start, and keeps it beside the one that it loads: with the second start there are two
 * of them, and chance decides which is block 0. A worker that knows another chain's beginning stops, and is right.
 */
function keepFirstGenesis(stateFile: string): void {
  if (!existsSync(stateFile)) return
  const state = JSON.parse(readFileSync(stateFile, 'utf8')) as State
  const timeOf = ({ header }: State['blocks'][number]): number => Number(header.timestamp)
  const [first, ...later] = state.blocks
    .filter(({ header }) => Number(header.number) === 0)
    .toSorted((one, other) => timeOf(one) - timeOf(other))
  if (!first || later.length === 0) return
  writeFileSync(stateFile, JSON.stringify({ ...state, blocks: state.blocks.filter((block) => !later.includes(block)) }))
}

/** The package's own command is a Node script that starts the binary; we start the binary, to be able to end it. */
function binary(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  return join(dirname(require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/package.json`)), 'bin', 'anvil')
}

async function answersRpc(url: string): Promise<boolean> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
    signal: AbortSignal.timeout(1_000),
  })
  return response.ok
}
