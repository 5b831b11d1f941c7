import type { Asset } from '@lode/kernel'
import { type RawBuilder, sql } from 'kysely'
import { type Address, type Hex, toHex } from 'viem'
import type { Fees } from '../../platform/chain/fees.ts'
import { addressFromColumn, bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ByAsset } from './rules.ts'

/** One signed version of a release. The versions differ only in their fees. */
export type SignedVersion = Fees & { readonly attempt: number; readonly hash: Hex; readonly raw: Hex }

/** A chain transaction of a payer whose outcome is not final yet. */
export type Release = {
  readonly number: bigint
  readonly kind: 'payouts' | 'burn'
  readonly payer: Address
  readonly nonce: bigint
  readonly call: Hex
  readonly gas: bigint
  readonly isBroadcast: boolean
  /** The newest signed version. */
  readonly latestVersion: SignedVersion
}

type ReleaseRow = {
  number: bigint
  kind: 'payouts' | 'burn'
  payer: Buffer
  nonce: bigint
  call: Buffer
  gas: bigint
  broadcast: boolean
  attempt: number
  hash: Buffer
  raw: Buffer
  max_fee: string
  max_priority_fee: string
}

/** The number of the release that this chain transaction belongs to, or null. */
export async function findReleaseOf(db: Database, tx: Hex): Promise<bigint | null> {
  const { rows } = await sql<{ number: bigint }>`
    select release_number as number from lode.release_form where hash = ${bytesOf(tx)}`.execute(db)
  return rows[0]?.number ?? null
}

/** Returns the open releases in the order of their nonces. */
export async function readOpenReleases(db: Database): Promise<Release[]> {
  const { rows } = await sql<ReleaseRow>`
    select number, kind, payer, nonce, call, gas, broadcast_at is not null as broadcast,
           form.attempt, form.hash, form.raw, form.max_fee, form.max_priority_fee
    from lode.release
    join lateral (
      select * from lode.release_form where release_number = number order by attempt desc limit 1
    ) form on true
    where ended_at is null
    order by nonce, number`.execute(db)
  return rows.map((row) => ({
    number: row.number,
    kind: row.kind,
    nonce: row.nonce,
    gas: row.gas,
    isBroadcast: row.broadcast,
    payer: addressFromColumn(row.payer),
    call: toHex(row.call),
    latestVersion: {
      attempt: row.attempt,
      hash: toHex(row.hash),
      raw: toHex(row.raw),
      maxFee: BigInt(row.max_fee),
      maxPriorityFee: BigInt(row.max_priority_fee),
    },
  }))
}

/** The payer's highest nonce that was signed, and its highest that is spent in a final block; -1 if there is none. */
export async function readLastNonces(db: Database, payer: Address): Promise<{ signed: bigint; ended: bigint }> {
  const last = (condition: RawBuilder<unknown>) => sql`
    coalesce((select nonce from lode.release where payer = ${bytesOf(payer)} ${condition} order by nonce desc limit 1), -1)`
  const { rows } = await sql<{ signed: bigint; ended: bigint }>`
    select ${last(sql``)} as signed, ${last(sql`and ended_at is not null and not given_up`)} as ended`.execute(db)
  return rows[0] ?? { signed: -1n, ended: -1n }
}

/** The amounts that these releases will still take out of the vault: payouts that have not ended, and burns. */
export async function readLeavingAmounts(db: Database, numbers: readonly bigint[]): Promise<ByAsset> {
  if (numbers.length === 0) return NOTHING
  const { rows } = await sql<{ asset: Asset; amount: string }>`
    select asset, sum(amount) as amount from (
      select asset, amount from lode.payout where release_number = any (${numbers.map(String)}::bigint[]) and ended is null
      union all
      select 'BTN', burned from lode.release where number = any (${numbers.map(String)}::bigint[]) and kind = 'burn'
    ) leaving group by asset`.execute(db)
  return sumByAsset(rows)
}

/** The sum of the payouts signed in the last 24 hours, without those that have stepped back since. */
export async function readSignedIn24Hours(db: Database): Promise<ByAsset> {
  const { rows } = await sql<{ asset: Asset; amount: string }>`
    select asset, sum(amount) as amount from lode.release
    join lode.payout on release_number = release.number
    where made_at > lode.now() - interval '24 hours'
    group by asset`.execute(db)
  return sumByAsset(rows)
}

/** Whether a burn was signed in the last 24 hours, or is still open. */
export async function hasRecentBurn(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from lode.release
    where kind = 'burn' and (ended_at is null or made_at > lode.now() - interval '24 hours') limit 1`.execute(db)
  return rows.length > 0
}

const NOTHING: ByAsset = { USDT: 0n, BTN: 0n, BTC: 0n }

const sumByAsset = (rows: readonly { asset: Asset; amount: string }[]): ByAsset => ({
  ...NOTHING,
  ...Object.fromEntries(rows.map(({ asset, amount }) => [asset, BigInt(amount)])),
})

type NewRelease = Pick<Release, 'payer' | 'nonce' | 'call' | 'gas'> & { readonly burned?: bigint }

export async function storeRelease(trx: Database, release: NewRelease, version: SignedVersion): Promise<bigint> {
  const { payer, nonce, call, gas, burned } = release
  const { rows } = await sql<{ number: bigint }>`
    insert into lode.release (kind, payer, nonce, call, gas, burned)
    values (${burned === undefined ? 'payouts' : 'burn'}, ${bytesOf(payer)}, ${nonce}, ${bytesOf(call)}, ${gas},
            ${burned === undefined ? null : String(burned)}::numeric)
    returning number`.execute(trx)
  const [stored] = rows
  if (!stored) throw new Error('no release was stored')
  await storeSignedVersion(trx, stored.number, version)
  return stored.number
}

export async function storeSignedVersion(trx: Database, release: bigint, version: SignedVersion): Promise<void> {
  await sql`
    insert into lode.release_form (release_number, attempt, hash, raw, max_fee, max_priority_fee)
    values (${release}, ${version.attempt}, ${bytesOf(version.hash)}, ${bytesOf(version.raw)},
            ${String(version.maxFee)}::numeric, ${String(version.maxPriorityFee)}::numeric)`.execute(trx)
}

export async function markBroadcast(db: Database, release: bigint): Promise<void> {
  await sql`
    update lode.release set broadcast_at = lode.now() where number = ${release} and broadcast_at is null`.execute(db)
}
