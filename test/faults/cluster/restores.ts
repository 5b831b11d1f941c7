import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '@lode/scripts/cluster'
import { freePort } from '@lode/scripts/process'
import { contractVariablesOf, runLode, startWorker } from '@lode/scripts/server'
import { query } from '../../sim/query.ts'
import { Random } from '../../sim/random.ts'
import { type MoneyLoad, readStoredIds } from './money-load.ts'

/** A command that was answered this close to the moment may be on either side of it. */
const UNDECIDED_MS = 3_000
const LOAD_MS = 20_000
const ARCHIVED_WITHIN_MS = 90_000

/**
 * Takes a backup, lets members go on, and restores to random seconds, each into a database of its own beside the cluster,
 * while the chain moves on. Each must hold exactly what was acknowledged before its second. Then it is repaired as after
 * a real restore. Returns what is wrong.
 */
export async function restoreToRandomSeconds(cluster: Cluster, load: MoneyLoad, count: number, seed: number) {
  const { database } = cluster
  const problems: string[] = []
  await database.backup(await database.primary(), '--type=full', 'backup')
  const from = Date.now()
  load.takeOut()
  await sleep(LOAD_MS)
  const until = Date.now()
  await waitUntilArchived(cluster)
  const random = new Random(seed, 'restores')
  for (let turn = 1; turn <= count; turn += 1) {
    const moment = new Date(random.between(from + UNDECIDED_MS, until))
    const began = Date.now()
    const port = await freePort()
    const restored = await database.restoreElsewhere(await database.primary(), port, moment)
    try {
      const url = new URL(cluster.ownerUrl)
      url.port = String(port)
      const wrong = [...(await findMisplaced(url.href, load, moment)), ...(await repairAndAudit(cluster, url.href))]
      problems.push(...wrong.map((what) => `restored to ${moment.toISOString()}: ${what}`))
      const took = ((Date.now() - began) / 1_000).toFixed(0)
      console.log(`restore ${turn}: to ${moment.toISOString()}, ${restored.printed}; with repair and audit ${took} s`)
    } finally {
      await restored.stop()
    }
  }
  return problems
}

/** The segment that is being written now reaches the backups only when it is complete. */
async function waitUntilArchived({ ownerUrl }: Cluster): Promise<void> {
  const [switched] = await query<{ name: string }>(ownerUrl, 'select pg_walfile_name(pg_switch_wal()) as name')
  const deadline = Date.now() + ARCHIVED_WITHIN_MS
  for (;;) {
    const [archived] = await query<{ name: string | null }>(
      ownerUrl,
      'select last_archived_wal as name from pg_stat_archiver',
    )
    if ((archived?.name ?? '') >= (switched?.name ?? '')) return
    if (Date.now() > deadline) throw new Error('The log is not archived')
    await sleep(500)
  }
}

async function findMisplaced(url: string, load: MoneyLoad, moment: Date): Promise<string[]> {
  const stored = await readStoredIds(url)
  const before = load.acknowledged.filter(({ at }) => at < moment.getTime() - UNDECIDED_MS)
  const after = load.acknowledged.filter(({ at }) => at > moment.getTime() + UNDECIDED_MS)
  const lost = before.filter(({ id }) => !stored.has(id)).length
  const early = after.filter(({ id }) => stored.has(id)).length
  return [
    ...(lost > 0 ? [`${lost} of ${before.length} commands before it are missing`] : []),
    ...(early > 0 ? [`${early} commands after it are there`] : []),
  ]
}

/** The steps of docs/operations.md, "Restoring", on the restored database: repair it, read the chain again, audit. */
async function repairAndAudit(cluster: Cluster, url: string): Promise<string[]> {
  const { chain, contracts, folder, settings } = cluster
  const [own] = settings
  if (!own) throw new Error('The cluster has no settings')
  const journal = join(folder, 'joined.journal')
  await joinJournals([join(folder, 'signer-1.journal'), join(folder, 'signer-2.journal')], journal)
  const variables = { LODE_PROFILE: 'test', CHAIN_ID: String(chain.chainId), ...contractVariablesOf(contracts) }
  const lode = (...args: string[]) =>
    runLode(url, args, undefined, variables).catch(
      ({ stdout = '', stderr = '' }: { stdout?: string; stderr?: string }) => `failed: ${stdout}${stderr}`,
    )
  const nodes = `one=${chain.rpcUrl},other=${chain.rpcUrl}`
  const repaired = await lode('restored', '--journal', journal, '--chain', nodes, '--yes')
  if (!repaired.includes('Done.')) return [`lode restored: ${repaired}`]
  const worker = await startWorker({ ...own, ownerUrl: url, workerPort: await freePort() })
  try {
    await waitUntilPosted(url, await finalBlock(chain.rpcUrl))
    const audited = await lode('audit', '--chain', chain.rpcUrl)
    return audited.includes('Nothing is wrong') ? [] : [`lode audit --chain: ${audited}`]
  } finally {
    await worker.stop()
  }
}

/** Each signer lists what it sent itself. Together they are one journal: the first line stands once. */
async function joinJournals(files: readonly string[], target: string): Promise<void> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  const [first = '', ...others] = texts.filter((text) => text !== '')
  await writeFile(target, [first, ...others.map((text) => text.slice(text.indexOf('\n') + 1))].join(''))
}

async function finalBlock(rpcUrl: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['finalized', false] })
  const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return Number(((await response.json()) as { result: { number: string } }).result.number)
}

async function waitUntilPosted(url: string, block: number): Promise<void> {
  const deadline = Date.now() + ARCHIVED_WITHIN_MS
  for (;;) {
    const [row] = await query<{ number: string }>(url, 'select posted_number as number from lode.chain_state')
    if (Number(row?.number ?? 0) >= block) return
    if (Date.now() > deadline) throw new Error('The worker does not read the chain again after the restore')
    await sleep(250)
  }
}
