import type { assets } from '@lode/kernel'
import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { readState } from '../custody/index.ts'
import { systemBalances } from '../ledger/index.ts'
import type { Signing } from './form.ts'
import type { Proof } from './proof.ts'
import { leavingBy, type Release, signedLately } from './releases.ts'
import { type ByAsset, type Fees, firstFees, least, MOST_IN_A_BATCH, objection, type Room } from './rules.ts'
import { balancesAt, readVault, type VaultNow } from './vault.ts'

/** An alarm is raised if the payer's own currency is not enough for this many full releases. */
const FULL_RELEASES_KEPT = 5n

/** What one turn has read, and what signing needs. */
export type Ready = {
  readonly nonce: bigint
  readonly fees: Fees
  readonly vault: VaultNow
  readonly room: Room
  readonly burnDue: bigint
  /** How many payouts the payer can pay the gas for. */
  readonly most: number
}

type OnTheWay = {
  /** Releases whose outcome is not final yet. `unmined` are those of them that are in no block. */
  readonly open: readonly Release[]
  readonly unmined: readonly Release[]
}

/** Reads the ledger and the chain before anything is signed. */
export function createLook({ account, chain, payer, metrics, log }: Signing, { prove }: Pick<Proof, 'prove'>) {
  const pool = chain.contracts
  let gasIsLow = false

  /** Reads in one snapshot what the vault holds by the ledger, and how much of it is already on its way out. */
  const readBooks = (connection: Database, { open, unmined }: OnTheWay) =>
    connection
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (inside) => ({
        state: await readState(inside),
        balance: await systemBalances(inside),
        toLeave: await leavingBy(inside, open.map(numberOf)),
        onTheWay: await leavingBy(inside, unmined.map(numberOf)),
        lately: await signedLately(inside),
      }))

  /** How many payouts the payer can pay the gas for. */
  function affordable(gas: bigint, { releaseGas }: VaultNow): number {
    const fullReleases = gas / releaseGas(MOST_IN_A_BATCH)
    metrics.gasLeft.set(Number(fullReleases))
    const isLow = fullReleases < FULL_RELEASES_KEPT
    if (isLow && !gasIsLow)
      log.error({ payer: account.address }, 'ALARM: the payer has little left to pay for gas with')
    gasIsLow = isLow
    if (fullReleases > 0n) return MOST_IN_A_BATCH
    const more = gas - releaseGas(0)
    return more > 0n ? Number(more / (releaseGas(1) - releaseGas(0))) : 0
  }

  /** Returns what signing needs, or the reason in words why nothing can be signed now. */
  return async (node: ChainNode, connection: Database, nonce: bigint, releases: OnTheWay): Promise<Ready | string> => {
    const { state, balance, toLeave, onTheWay, lately } = await readBooks(connection, releases)
    if (state && (state.chainId !== chain.id || state.vault !== pool.vault))
      return `the books are those of vault ${state.vault} on chain ${state.chainId}`
    const [head, vault, price, gasMoney] = await Promise.all([
      node.head(chain.finality),
      readVault(node, pool, account.address),
      node.gasPrice(),
      node.balance(account.address),
    ])
    const inBooks = each((asset) => -balance('custody:vault', asset))
    const because = objection({
      books: state && {
        stopped: state.stoppedReason,
        postedNumber: state.postedNumber,
        postedTime: state.postedTime,
        readAgain: state.posted === null || state.posted.number < state.booked,
        vault: inBooks,
      },
      held: state?.posted ? await balancesAt(node, pool, state.posted) : null,
      finalizedTime: head.finalized.time,
      paused: vault.paused,
      mayPay: vault.mayPay,
      payer: account.address,
    })
    if (because !== null) return because
    await prove(node, connection, head.finalized.number)
    const fees = firstFees(price, payer.maxFee)
    if (!fees) return `gas costs ${price.baseFee} now, more than SIGNER_MAX_FEE_GWEI allows`
    const most = affordable(gasMoney / fees.maxFee, vault)
    if (most === 0) return `${account.address} has too little of the chain's own currency to pay for gas`
    const room: Room = {
      cap: each((asset) => {
        const own = payer.dayCap[asset]
        return least(vault.payoutRoom[asset] - onTheWay[asset], own === undefined ? undefined : own - lately[asset])
      }),
      wholeCap: each((asset) => least(vault.payoutCap[asset], payer.dayCap[asset])),
      float: each((asset) => least(inBooks[asset] - toLeave[asset], vault.held[asset] - onTheWay[asset])),
    }
    return { nonce, fees, vault, room, most, burnDue: balance('burn:due', 'BTN') }
  }
}

const numberOf = ({ number }: Release): bigint => number

const each = (amount: (asset: (typeof assets)[number]) => bigint): ByAsset => ({
  USDT: amount('USDT'),
  BTN: amount('BTN'),
  BTC: amount('BTC'),
})
