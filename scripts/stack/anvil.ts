import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { freePort, type RunningProcess, startProcess } from './process.ts'

export type Anvil = { readonly rpcUrl: string; readonly chainId: number; readonly port: number } & Pick<
  RunningProcess,
  'pid' | 'stop' | 'ended'
>

type Options = {
  port?: number
  chainId?: number
  /** If set, the chain's state is kept in this file between runs. */
  stateFile?: string
  /** How often the state is written while the node runs. It is always written at the end. */
  stateIntervalSeconds?: number
  blockTimeSeconds?: number
  /** The time of the first block, if not now. The chain's time continues from there. */
  firstBlockAt?: Date
  /** Transactions in a block are in the order of their arrival, whatever their fees are. */
  firstComeFirst?: boolean
  /** `finalized` is two epochs behind `latest`. Use 1 for fast finality, 32 for the behavior of the main net. */
  slotsInAnEpoch?: number
  /** Cancels the wait until the node is ready. */
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
 * Anvil creates a genesis block at every start and stores it beside the loaded one. After the second start there are
 * two, and either can become block 0. A worker that knows another genesis block stops, as it must. So this keeps only
 * the first.
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

/**
 * The package's command is a Node script that starts the binary. We start the binary itself, so that we can stop it.
 */
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
