import { type Asset, assets } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import type { Address } from 'viem'
import { readClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { isWorkerAway, readStops, readWorkerState, type StoredStop, type WorkerState } from '../custody/index.ts'
import { formatUtc, type Operators, readPauseEnd } from '../operators/index.ts'
import { readSignerState } from '../payout/index.ts'
import { isSignerAway } from '../transfer/index.ts'
import { readVaultPause, type VaultPause } from '../vault/index.ts'

/** What all processes of the pool report, as the database has it. */
export type PoolHealth = {
  readonly now: Date
  /** Null if no worker ever ran. */
  readonly worker: WorkerState | null
  readonly isWorkerAway: boolean
  readonly signer: Awaited<ReturnType<typeof readSignerState>>
  readonly isSignerAway: boolean
  readonly stops: readonly StoredStop[]
  /** Until when an operator paused payouts. */
  readonly pausedUntil: Date | null
  /** A guardian's pause of the vault itself. */
  readonly vaultPause: VaultPause | null
}

export async function readPoolHealth(db: Database, operators: Operators, vault: Address): Promise<PoolHealth> {
  const now = await readClock(db)
  const worker = await readWorkerState(db)
  const signer = await readSignerState(db)
  return {
    now,
    worker,
    isWorkerAway: isWorkerAway(worker?.seenAt ?? null, now),
    signer,
    isSignerAway: isSignerAway(signer?.seenAt ?? null, now),
    stops: await readStops(db),
    pausedUntil: await readPauseEnd(db, operators, now),
    vaultPause: await readVaultPause(db, vault),
  }
}

type PoolProblem = DataOf<'pool/figures'>['problems'][number]

/** What keeps the pool from its work now, for everybody to read. It has no reason in words. */
export function listPublicProblems(health: PoolHealth): PoolProblem[] {
  const { worker, signer, stops, pausedUntil, vaultPause } = health
  const problems: PoolProblem[] = stops.map(({ asset, since }) => ({
    kind: asset === null ? 'stopped' : 'asset-stopped',
    symbol: knownAsset(asset),
    since: since.toISOString(),
  }))
  const add = (kind: PoolProblem['kind'], since: Date | undefined) =>
    problems.push({ kind, symbol: null, since: since?.toISOString() ?? null })
  if (health.isWorkerAway) add('worker-away', worker?.seenAt)
  if (health.isSignerAway) add('signer-away', signer?.seenAt)
  else if (!signer?.obeysApprovals) add('decisions-not-obeyed', undefined)
  if (pausedUntil) add('payouts-paused', undefined)
  if (vaultPause) add('vault-paused', vaultPause.since)
  return problems
}

const knownAsset = (name: string | null): Asset | null => assets.find((asset) => asset === name) ?? null

/** The same for `/readyz`, by name. None of it makes the process that shows it unready. */
export function describeProblems(health: PoolHealth): Readonly<Record<string, string>> {
  const { worker, signer, stops, pausedUntil, vaultPause } = health
  const [chainStop] = stops.filter(({ asset }) => asset === null)
  const assetStops = stops.filter(({ asset }) => asset !== null)
  return {
    ...(health.isWorkerAway && { worker: describeAway(worker?.seenAt) }),
    ...(chainStop && { chain: `stopped since ${formatUtc(chainStop.since)}` }),
    ...(assetStops.length > 0 && { stopped: assetStops.map(({ asset }) => asset).join(', ') }),
    ...(health.isSignerAway && { signer: describeAway(signer?.seenAt) }),
    ...(!health.isSignerAway && !signer?.obeysApprovals && { operators: 'the signer does not obey them' }),
    ...(pausedUntil && { payouts: `paused until ${formatUtc(pausedUntil)}` }),
    ...(vaultPause && { vault: `paused until ${formatUtc(vaultPause.until)}` }),
  }
}

const describeAway = (seenAt: Date | undefined): string =>
  seenAt ? `has not reported since ${formatUtc(seenAt)}` : 'has never reported'
