import { sql } from 'kysely'
import { type Hex, keccak256, stringToHex, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { btnRefuses, makeBtnHostile } from '../../testing/hostile-token.ts'
import { startUnreliableNode } from '../../testing/node.ts'
import { soon } from '../../testing/pool.ts'
import { balances } from '../ledger/index.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

let pool: PayingPool
let member: PayingMember
let other: PayingMember
beforeAll(async () => {
  pool = await startPayingPool({ wallets: 2 })
  await makeBtnHostile(pool)
  await pool.startWorker()
  const [one, two] = pool.wallets as [PrivateKeyAccount, PrivateKeyAccount]
  member = await pool.addPayingMember(one, { USDT: 20_000_000_000n, BTN: 20n * BTN })
  other = await pool.addPayingMember(two, { BTN: 20n * BTN })
}, 60_000)
afterAll(() => pool.close())
const signers: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(signers.splice(0).map((signer) => signer.close()))
  await pool.node.setAutomine(true)
})

const LEAST = 10_000_000n
const BTN = 1_000n * 10n ** 18n
const startSigner: PayingPool['startSigner'] = async (also) => {
  const signer = await pool.startSigner(also)
  signers.push(signer)
  return signer
}

/** Returns a transfer that is signed and sent to the node, but in no block: automine is off. */
async function signedAndWaiting(): Promise<{ id: string; hash: Hex }> {
  await pool.node.setAutomine(false)
  const id = await pool.request(member, 'USDT', LEAST)
  const hash = await soon(async () => {
    const [waiting, ...more] = await pool.waitingOf(pool.key('payer').address)
    if (!waiting || more.length > 0) throw new Error('it is not with the node')
    return waiting
  })
  return { id, hash }
}

const formsOf = async (id: string): Promise<{ hash: Hex; maxFee: bigint }[]> => {
  const { rows } = await sql<{ hash: Buffer; max_fee: string }>`
    select hash, max_fee from lode.release_form
    join lode.payout on payout.release_number = release_form.release_number
    where payout.id = ${id} order by attempt`.execute(pool.db)
  return rows.map(({ hash, max_fee }) => ({ hash: toHex(hash), maxFee: BigInt(max_fee) }))
}

const isSeen = async (id: string): Promise<boolean> => {
  const { rows } = await sql`select from lode.chain_outgoing where payout_id = ${id}`.execute(pool.db)
  return rows.length > 0
}

const isBroadcast = async (id: string): Promise<boolean> => {
  const { rows } = await sql`
    select from lode.payout join lode.release on release.number = release_number
    where id = ${id} and broadcast_at is not null`.execute(pool.db)
  return rows.length > 0
}

/** Checks that exactly one payment arrived. */
async function arrivesOnce(id: string, held: bigint): Promise<void> {
  expect(await pool.ended(id)).toMatchObject({ ended: 'final' })
  expect((await pool.balanceOf('USDT', member.wallet.address)) - held).toBe(LEAST)
  expect((await balances(pool.db, member.id)).USDT.frozenOut).toBe(0n)
}

const held = () => pool.balanceOf('USDT', member.wallet.address)

describe('a release', { timeout: 60_000 }, () => {
  it('that the node drops is sent again', async () => {
    await startSigner()
    const before = await held()
    const { id, hash } = await signedAndWaiting()
    await pool.node.dropTransaction({ hash })
    await soon(async () => expect(await pool.waitingOf(pool.key('payer').address)).toEqual([hash]))
    await pool.node.setAutomine(true)
    await pool.mine(1)
    await arrivesOnce(id, before)
    expect(await formsOf(id)).toHaveLength(1)
  })

  it('that no block takes is sent for a higher fee, and again, within what may be paid', async () => {
    await startSigner({ SIGNER_STUCK_AFTER_MS: '100' })
    const before = await held()
    const { id, hash } = await signedAndWaiting()
    await soon(async () => expect((await formsOf(id)).length).toBeGreaterThan(2))
    await pool.node.setAutomine(true)
    await pool.mine(1)
    await arrivesOnce(id, before)
    const forms = await formsOf(id)
    forms.reduce((one, next) => {
      expect(next.maxFee * 10n).toBeGreaterThan(one.maxFee * 11n)
      return next
    })
    expect((await pool.payout(id)).paidTx).not.toBe(hash)
  })

  it('that became too cheap is sent for what gas costs now', async () => {
    await startSigner({ SIGNER_STUCK_AFTER_MS: '300', SIGNER_MAX_FEE_GWEI: '500' })
    const before = await held()
    const { id } = await signedAndWaiting()
    const [first] = await formsOf(id)
    await pool.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 3n * (first?.maxFee ?? 0n) })
    await pool.mine(1)
    expect((await pool.payout(id)).ended).toBeNull()
    await soon(async () => expect((await formsOf(id)).at(-1)?.maxFee).toBeGreaterThan(3n * (first?.maxFee ?? 0n)))
    await pool.node.setAutomine(true)
    await arrivesOnce(id, before)
  })

  it('whose fee cannot be raised any more is told, and goes on being sent', async () => {
    await pool.mine(40)
    const { baseFeePerGas } = await pool.client.getBlock()
    const gwei = Number((baseFeePerGas ?? 0n) * 2n + 2_100_000_000n) / 1e9
    const signer = await startSigner({ SIGNER_STUCK_AFTER_MS: '50', SIGNER_MAX_FEE_GWEI: gwei.toFixed(6) })
    const before = await held()
    const { id } = await signedAndWaiting()
    await soon(async () => expect(await pool.readiness(signer)).toContain('allows no higher fee'))
    await pool.node.setAutomine(true)
    await pool.mine(1)
    await arrivesOnce(id, before)
    await soon(async () => expect(await pool.readiness(signer)).toBe('ready'))
  })

  it('whose nonce somebody else spends is given up when that is final, and its payouts go in another', async () => {
    const signer = await startSigner()
    const before = await held()
    const { id, hash } = await signedAndWaiting()
    const { releaseNumber } = await pool.payout(id)
    await signer.close()
    await pool.node.dropTransaction({ hash })
    const { address } = pool.key('payer')
    const nonce = await pool.client.getTransactionCount({ address })
    await pool.send(pool.key('payer'), address, '0x', nonce)
    await pool.mine(1)
    expect((await pool.payout(id)).releaseNumber).toBe(releaseNumber)
    await pool.node.setAutomine(true)
    await soon(async () => {
      await pool.finalize()
      expect((await pool.payout(id)).releaseNumber).toBeNull()
    })
    await startSigner()
    await arrivesOnce(id, before)
    expect((await pool.payout(id)).releaseNumber).not.toBe(releaseNumber)
  })

  it('that was in a block is on its way again when that block is taken back', async () => {
    await startSigner()
    const before = await held()
    const id = await pool.request(member, 'USDT', LEAST)
    await soon(async () => expect(await isSeen(id)).toBe(true))
    await pool.node.setAutomine(false)
    await pool.reorganise(1)
    await soon(async () => expect(await isSeen(id)).toBe(false))
    expect(await pool.payout(id)).toMatchObject({ ended: null, releaseNumber: expect.anything() })
    await soon(async () => expect(await pool.waitingOf(pool.key('payer').address)).toHaveLength(1))
    await pool.node.setAutomine(true)
    await pool.mine(1)
    await soon(async () => expect(await isSeen(id)).toBe(true))
    await arrivesOnce(id, before)
  })

  it('that fails as a whole, for the vault was paused, gives its payouts back with the same ids', async () => {
    const signer = await startSigner()
    const before = await held()
    const { id, hash } = await signedAndWaiting()
    const { releaseNumber } = await pool.payout(id)
    await pool.node.dropTransaction({ hash })
    const pause = await pool.send(pool.key('guardian'), pool.contracts.vault, pool.vaultCall('pause'))
    await soon(async () => {
      await pool.mine(1)
      await pool.client.getTransactionReceipt({ hash: pause })
    })
    await pool.node.setAutomine(true)
    await soon(async () => {
      await pool.finalize()
      expect(await pool.payout(id)).toMatchObject({ releaseNumber: null, ended: null, waitsFor: 'chain' })
    })
    expect(await pool.readiness(signer)).toBe('the vault is paused')
    await pool.onVault('administrator', pool.vaultCall('unpause'))
    await arrivesOnce(id, before)
    expect((await pool.payout(id)).releaseNumber).not.toBe(releaseNumber)
  })
})

describe('the payer', { timeout: 60_000 }, () => {
  it('leaves no nonce out for long, though its node was wrong about which is next', async () => {
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    const { address } = pool.key('payer')
    const next = await pool.client.getTransactionCount({ address })
    node.alter = ({ method }, answer) => (method === 'eth_getTransactionCount' ? { result: toHex(next + 2) } : answer)
    const signer = await startSigner({ CHAIN_RPC_URL: node.rpcUrl })
    const before = await held()
    const id = await pool.request(member, 'USDT', LEAST)
    await pool.signed(id)
    expect(await pool.client.getTransactionCount({ address })).toBe(next)
    node.alter = (_request, answer) => answer
    await arrivesOnce(id, before)
    expect(await pool.client.getTransactionCount({ address })).toBe(next + 3)
    await signer.close()
    await node.close()
  })

  it('can be another from one day to the next: what the former had signed fails, and is paid by the new one', async () => {
    const signer = await startSigner()
    const before = await held()
    const { id, hash } = await signedAndWaiting()
    await signer.close()
    await pool.node.dropTransaction({ hash })
    await pool.node.setAutomine(true)
    const role = keccak256(stringToHex('PAYER'))
    const newKey = generatePrivateKey()
    const newPayer = privateKeyToAddress(newKey)
    await pool.node.setBalance({ address: newPayer, value: 10n ** 20n })
    await pool.onVault('administrator', pool.vaultCall('revokeRole', [role, pool.key('payer').address]))
    await pool.onVault('administrator', pool.vaultCall('grantRole', [role, newPayer]))
    const next = await startSigner({ PAYER_KEY: newKey })
    await arrivesOnce(id, before)
    await next.close()
    await pool.onVault('administrator', pool.vaultCall('grantRole', [role, pool.key('payer').address]))
  })
})

describe('one receiver whom its token refuses', { timeout: 60_000 }, () => {
  it('keeps nobody else waiting, is tried once more alone, and then has the money back', async () => {
    await btnRefuses(pool, member.wallet.address)
    const before = (await balances(pool.db, member.id)).BTN
    const heldByOther = await pool.balanceOf('BTN', other.wallet.address)
    const refused = await pool.request(member, 'BTN', BTN)
    const paid = await pool.request(other, 'BTN', BTN)
    await startSigner()
    expect(await pool.ended(paid)).toMatchObject({ ended: 'final' })
    expect((await pool.balanceOf('BTN', other.wallet.address)) - heldByOther).toBe(BTN)
    const alsoPaid = await pool.request(other, 'BTN', BTN)
    expect(await pool.ended(refused)).toMatchObject({ ended: 'reverted', tokenFailures: 2, releaseNumber: null })
    expect(await pool.ended(alsoPaid)).toMatchObject({ ended: 'final' })
    expect((await balances(pool.db, member.id)).BTN).toEqual(before)
    const { rows } = await sql<{ back: boolean }>`
      select given_back_at is not null as back from lode.quota_use where payout_id = ${refused}`.execute(pool.db)
    expect(rows).toEqual([{ back: true }])
    const { rows: skips } = await sql`select from lode.payout_skip where payout_id = ${refused}`.execute(pool.db)
    expect(skips).toHaveLength(2)
    await btnRefuses(pool, null)
  })

  it('is paid where the token had refused it for an hour only', async () => {
    await btnRefuses(pool, member.wallet.address)
    await startSigner()
    const id = await pool.request(member, 'BTN', BTN)
    // The payout is in a block that needs two more blocks to be final.
    await soon(async () => expect(await isBroadcast(id)).toBe(true))
    await btnRefuses(pool, null)
    expect(await pool.ended(id)).toMatchObject({ ended: 'final', tokenFailures: 1 })
  })
})

describe('what the vault has no room for', { timeout: 60_000 }, () => {
  it('is queued while the vault is empty, says so, and goes when it is filled', async () => {
    const cold = pool.key('coldStorage')
    await pool.node.setBalance({ address: cold.address, value: 10n ** 18n })
    const all = await pool.balanceOf('BTN', pool.contracts.vault)
    await pool.announced(pool.vaultCall('moveToCold', [pool.contracts.btn, all]))
    const signer = await startSigner()
    const id = await pool.request(member, 'BTN', BTN)
    await soon(async () => {
      await pool.finalize()
      expect(await pool.payout(id)).toMatchObject({ waitsFor: 'float', releaseNumber: null })
    })
    await soon(async () => expect(await pool.readiness(signer)).toBe('ready'))
    await pool.transfer(cold, 'BTN', all)
    expect(await pool.ended(id)).toMatchObject({ ended: 'final', tokenFailures: 0 })
  })

  it('and that the vault found only when it was on its way, is queued again and not reverted', async () => {
    const signer = await startSigner()
    expect(await pool.ended(await pool.request(member, 'USDT', LEAST))).toMatchObject({ ended: 'final' })
    const before = await held()
    const { id, hash } = await signedAndWaiting()
    await pool.node.dropTransaction({ hash })
    const lower = pool.vaultCall('setPayoutCap', [pool.contracts.usdt, LEAST])
    const lowered = await pool.send(pool.key('administrator'), pool.contracts.vault, lower)
    await soon(async () => {
      await pool.mine(1)
      await pool.client.getTransactionReceipt({ hash: lowered })
    })
    await pool.node.setAutomine(true)
    await soon(async () => {
      await pool.finalize()
      expect(await pool.payout(id)).toMatchObject({ waitsFor: 'cap', releaseNumber: null, tokenFailures: 0 })
    })
    await soon(async () => expect(await pool.readiness(signer)).toBe('ready'))
    // After a day the whole cap is free again.
    await pool.node.increaseTime({ seconds: 86_401 })
    await pool.mine(1)
    await arrivesOnce(id, before)
  })
})
