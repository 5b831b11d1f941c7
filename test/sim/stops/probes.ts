import { setTimeout as sleep } from 'node:timers/promises'
import { type Asset, assets } from '@lode/kernel'
import { type Hex, parseUnits } from 'viem'
import { membersOf } from '../conditions.ts'
import type { Actor } from '../members/actor.ts'
import { transferOut } from '../members/transfer.ts'
import { transferCall } from '../members/wallet.ts'
import { query } from '../query.ts'
import type { Random } from '../random.ts'
import { BLOCKS_TO_FINALITY } from '../stack/chain.ts'
import { DECIMALS } from '../stack/plan.ts'
import { Violation, type World } from '../world.ts'
import { mineUntil, type Stop } from './stop.ts'

/** Money that a member sends and requests during a stop. What becomes of it shows what stands still. */
type Probe = { readonly asset: Asset; readonly deposit: Hex; readonly transfer: string | null }

const DEPOSIT = { USDT: '2', BTN: '30', BTC: '0.0003' } as const
/** Many turns of the worker and of the signer, which take place every 40 ms. */
const STAND_STILL_MS = 1_000

/** A plain account: the sign-in of a contract wallet needs the nodes, which may be what fails. */
export const plainMembers = (world: World): Actor[] => membersOf(world).filter(({ kind }) => kind === 'plain')

/** In each asset, the member sends a plain transfer to the vault and requests the smallest transfer out. */
export async function sendProbes(world: World, actor: Actor, random: Random): Promise<Probe[]> {
  const { vault, usdt, btn, btc } = world.chain.contracts
  const tokens = { USDT: usdt, BTN: btn, BTC: btc }
  const probes: Probe[] = []
  for (const asset of assets) {
    const money = { symbol: asset, token: tokens[asset], amount: parseUnits(DEPOSIT[asset], DECIMALS[asset]) }
    const { target, data } = transferCall(vault, money)
    const deposit = await world.chain.send(actor.key, { to: target, data })
    const wish = { symbol: asset, size: 'least', times: 1, key: random.hex32().slice(2, 34) } as const
    const { id } = await transferOut(world, actor, wish)
    probes.push({ asset, deposit, transfer: id })
  }
  await world.chain.mine(BLOCKS_TO_FINALITY + 2)
  return probes
}

/** While the stop is in force: what it holds stands still, and everything else goes on. */
export async function checkDuringStop(
  world: World,
  probes: readonly Probe[],
  { credits, payouts }: Stop,
  arePaidAtOnce: boolean,
): Promise<void> {
  const free = probes.filter(({ asset }) => !credits.includes(asset))
  const payable = probes.filter(({ asset }) => !payouts.includes(asset))
  await mineUntil(world, 'credits what the stop does not hold', () => uncredited(world, free))
  if (arePaidAtOnce) await mineUntil(world, 'pays what the stop does not hold', () => unsigned(world, payable))
  await sleep(STAND_STILL_MS)
  const held = probes.filter(({ asset }) => credits.includes(asset))
  const unpaid = probes.filter(({ asset, transfer }) => payouts.includes(asset) && transfer !== null)
  if ((await uncredited(world, held)).length < held.length)
    throw new Violation(`a deposit was credited during the stop, of ${held.map(({ asset }) => asset)}`)
  if ((await unsigned(world, unpaid)).length < unpaid.length)
    throw new Violation(`a transfer was signed during the stop, of ${unpaid.map(({ asset }) => asset)}`)
}

/** After the stop everything is credited and paid. */
export async function checkAfterStop(world: World, probes: readonly Probe[], arePaidAtOnce: boolean): Promise<void> {
  await mineUntil(world, 'credits again', () => uncredited(world, probes))
  if (arePaidAtOnce) await mineUntil(world, 'pays again', () => unpaid(world, probes))
}

const uncredited = async ({ stack }: World, probes: readonly Probe[]): Promise<string[]> => {
  const found = 'select 1 from lode.ledger_transaction where key like $1'
  const states = await Promise.all(
    probes.map(async ({ asset, deposit }) => {
      const rows = await query(stack.ownerUrl, found, [`chain:%:${deposit}:%`])
      return rows.length > 0 ? [] : [`the deposit ${deposit} of ${asset}`]
    }),
  )
  return states.flat()
}

const payoutsWhere = async ({ stack }: World, probes: readonly Probe[], condition: string): Promise<string[]> => {
  const ids = probes.flatMap(({ transfer }) => transfer ?? [])
  const rows = await query<{ told: string }>(
    stack.ownerUrl,
    `select concat_ws(' ', id, asset, held_check, waits_for, release_number, ended) as told
     from lode.payout where id = any($1::uuid[]) and ${condition}`,
    [ids],
  )
  return rows.map(({ told }) => told)
}

const unsigned = (world: World, probes: readonly Probe[]) => payoutsWhere(world, probes, 'release_number is null')
const unpaid = (world: World, probes: readonly Probe[]) => payoutsWhere(world, probes, "ended is distinct from 'final'")
