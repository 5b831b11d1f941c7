import { sql } from 'kysely'
import { type Hex, keccak256, stringToHex, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeBtnHostile, setBtnRefusal } from '../../testing/hostile-token.ts'
import { waitUntil } from '../../testing/pool.ts'
import { readBalances } from '../ledger/index.ts'
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

const MIN_AMOUNT = 10_000_000n
const BTN = 1_000n * 10n ** 18n
/** Empty until a test names another payer. */
let presentPayer: { readonly PAYER_KEY?: Hex } = {}
const payerAddress = () => privateKeyToAddress(presentPayer.PAYER_KEY ?? pool.keys.payer)
const startSigner: PayingPool['startSigner'] = async (also) => {
  const signer = await pool.startSigner({ ...presentPayer, ...also })
  signers.push(signer)
  return signer
}

/** Returns a transfer that is signed and sent to the node, but in no block: automine is off. */
async function signWithoutBlock(): Promise<{ id: string; hash: Hex }> {
  await pool.node.setAutomine(false)
  const id = await pool.request(member, 'USDT', MIN_AMOUNT)
  const hash = await waitUntil(async () => {
    const [waiting, ...more] = await pool.pendingTransactionsOf(payerAddress())
    if (!waiting || more.length > 0) throw new Error('it is not with the node')
    return waiting
  })
  return { id, hash }
}

const versionsOf = async (id: string): Promise<{ hash: Hex; maxFee: bigint }[]> => {
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
async function expectPaidOnce(id: string, held: bigint): Promise<void> {
  expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
  expect((await pool.balanceOf('USDT', member.wallet.address)) - held).toBe(MIN_AMOUNT)
  expect((await readBalances(pool.db, member.id)).USDT.frozenOut).toBe(0n)
}

const walletBalance = () => pool.balanceOf('USDT', member.wallet.address)

describe('a release', { timeout: 60_000 }, () => {
  it('is sent again if the node drops it', async () => {
    await startSigner()
    const before = await walletBalance()
    const { id, hash } = await signWithoutBlock()
    await pool.node.dropTransaction({ hash })
    await waitUntil(async () =>
      expect(await pool.pendingTransactionsOf(pool.accountOf('payer').address)).toEqual([hash]),
    )
    await pool.node.setAutomine(true)
    await pool.mine(1)
    await expectPaidOnce(id, before)
    expect(await versionsOf(id)).toHaveLength(1)
  })

  it('is sent again with higher and higher fees, up to the limit, until a block includes it', async () => {
    await startSigner({ SIGNER_STUCK_AFTER_MS: '100' })
    const before = await walletBalance()
    const { id, hash } = await signWithoutBlock()
    await waitUntil(async () => expect((await versionsOf(id)).length).toBeGreaterThan(2))
    await pool.node.setAutomine(true)
    await pool.mine(1)
    await expectPaidOnce(id, before)
    const forms = await versionsOf(id)
    forms.reduce((one, next) => {
      expect(next.maxFee * 10n).toBeGreaterThan(one.maxFee * 11n)
      return next
    })
    expect((await pool.payout(id)).paidTx).not.toBe(hash)
  })

  it('is sent again at the present gas price if its fee became too low', async () => {
    await startSigner({ SIGNER_STUCK_AFTER_MS: '300', SIGNER_MAX_FEE_GWEI: '500' })
    const before = await walletBalance()
    const { id } = await signWithoutBlock()
    const [first] = await versionsOf(id)
    await pool.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 3n * (first?.maxFee ?? 0n) })
    await pool.mine(1)
    expect((await pool.payout(id)).ended).toBeNull()
    await waitUntil(async () =>
      expect((await versionsOf(id)).at(-1)?.maxFee).toBeGreaterThan(3n * (first?.maxFee ?? 0n)),
    )
    await pool.node.setAutomine(true)
    await expectPaidOnce(id, before)
  })

  it('is reported and still sent if its fee cannot be raised any more', async () => {
    await pool.mine(40)
    const { baseFeePerGas } = await pool.client.getBlock()
    const gwei = Number((baseFeePerGas ?? 0n) * 2n + 2_100_000_000n) / 1e9
    const signer = await startSigner({ SIGNER_STUCK_AFTER_MS: '50', SIGNER_MAX_FEE_GWEI: gwei.toFixed(6) })
    const before = await walletBalance()
    const { id } = await signWithoutBlock()
    await waitUntil(async () => expect(await pool.readiness(signer)).toContain('allows no higher fee'))
    await pool.node.setAutomine(true)
    await pool.mine(1)
    await expectPaidOnce(id, before)
    await waitUntil(async () => expect(await pool.readiness(signer)).toBe('ready'))
  })

  it('ends when another transaction with its nonce is final, and its payouts go into a new release', async () => {
    const signer = await startSigner()
    const before = await walletBalance()
    const { id, hash } = await signWithoutBlock()
    const { releaseNumber } = await pool.payout(id)
    await signer.close()
    await pool.node.dropTransaction({ hash })
    const { address } = pool.accountOf('payer')
    const nonce = await pool.client.getTransactionCount({ address })
    await pool.send(pool.accountOf('payer'), address, '0x', nonce)
    await pool.mine(1)
    expect((await pool.payout(id)).releaseNumber).toBe(releaseNumber)
    await pool.node.setAutomine(true)
    await waitUntil(async () => {
      await pool.finalize()
      expect((await pool.payout(id)).releaseNumber).toBeNull()
    })
    await startSigner()
    await expectPaidOnce(id, before)
    expect((await pool.payout(id)).releaseNumber).not.toBe(releaseNumber)
  })

  it('is sent again if a reorganization removes its block', async () => {
    await startSigner()
    const before = await walletBalance()
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntil(async () => expect(await isSeen(id)).toBe(true))
    await pool.node.setAutomine(false)
    await pool.reorganize(1)
    await waitUntil(async () => expect(await isSeen(id)).toBe(false))
    expect(await pool.payout(id)).toMatchObject({ ended: null, releaseNumber: expect.anything() })
    await waitUntil(async () =>
      expect(await pool.pendingTransactionsOf(pool.accountOf('payer').address)).toHaveLength(1),
    )
    await pool.node.setAutomine(true)
    await pool.mine(1)
    await waitUntil(async () => expect(await isSeen(id)).toBe(true))
    await expectPaidOnce(id, before)
  })

  it('that fails because the vault is paused returns its payouts to the queue with the same ids', async () => {
    const signer = await startSigner()
    const before = await walletBalance()
    const { id, hash } = await signWithoutBlock()
    const { releaseNumber } = await pool.payout(id)
    await pool.node.dropTransaction({ hash })
    const pause = await pool.send(pool.accountOf('guardian'), pool.contracts.vault, pool.vaultCall('pause'))
    await waitUntil(async () => {
      await pool.mine(1)
      await pool.client.getTransactionReceipt({ hash: pause })
    })
    await pool.node.setAutomine(true)
    await waitUntil(async () => {
      await pool.finalize()
      expect(await pool.payout(id)).toMatchObject({ releaseNumber: null, ended: null, waitsFor: 'chain' })
    })
    expect(await pool.readiness(signer)).toBe('the vault is paused')
    await pool.onVault('guardian', pool.vaultCall('unpause'))
    await expectPaidOnce(id, before)
    expect((await pool.payout(id)).releaseNumber).not.toBe(releaseNumber)
  })
})

describe('the payer', { timeout: 60_000 }, () => {
  it('can be replaced: payouts that the former payer signed fail and are paid by the new one', async () => {
    const signer = await startSigner()
    const before = await walletBalance()
    const { id, hash } = await signWithoutBlock()
    await signer.close()
    await pool.node.dropTransaction({ hash })
    await pool.node.setAutomine(true)
    const role = keccak256(stringToHex('PAYER'))
    const newKey = generatePrivateKey()
    const newPayer = privateKeyToAccount(newKey)
    await pool.node.setBalance({ address: newPayer.address, value: 10n ** 20n })
    await pool.onVault('administrator', pool.vaultCall('revokeRole', [role, pool.accountOf('payer').address]))
    await pool.grantPayer(newPayer)
    const next = await startSigner({ PAYER_KEY: newKey })
    await expectPaidOnce(id, before)
    await next.close()
    presentPayer = { PAYER_KEY: newKey }
  })
})

describe('a payout that its token refuses', { timeout: 60_000 }, () => {
  it('delays no other payout, is tried once more alone, and is then reverted', async () => {
    await setBtnRefusal(pool, member.wallet.address)
    const before = (await readBalances(pool.db, member.id)).BTN
    const heldByOther = await pool.balanceOf('BTN', other.wallet.address)
    const refused = await pool.request(member, 'BTN', BTN)
    const paid = await pool.request(other, 'BTN', BTN)
    await startSigner()
    expect(await pool.waitUntilEnded(paid)).toMatchObject({ ended: 'final' })
    expect((await pool.balanceOf('BTN', other.wallet.address)) - heldByOther).toBe(BTN)
    const alsoPaid = await pool.request(other, 'BTN', BTN)
    expect(await pool.waitUntilEnded(refused)).toMatchObject({
      ended: 'reverted',
      tokenFailures: 2,
      releaseNumber: null,
    })
    expect(await pool.waitUntilEnded(alsoPaid)).toMatchObject({ ended: 'final' })
    expect((await readBalances(pool.db, member.id)).BTN).toEqual(before)
    const { rows } = await sql<{ back: boolean }>`
      select given_back_at is not null as back from lode.quota_use where payout_id = ${refused}`.execute(pool.db)
    expect(rows).toEqual([{ back: true }])
    const { rows: skips } = await sql`select from lode.payout_skip where payout_id = ${refused}`.execute(pool.db)
    expect(skips).toHaveLength(2)
    await setBtnRefusal(pool, null)
  })

  it('is paid if the token refuses it only once', async () => {
    await setBtnRefusal(pool, member.wallet.address)
    await startSigner()
    const id = await pool.request(member, 'BTN', BTN)
    // The payout is in a block that needs two more blocks to be final.
    await waitUntil(async () => expect(await isBroadcast(id)).toBe(true))
    await setBtnRefusal(pool, null)
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final', tokenFailures: 1 })
  })
})

describe('a payout that the vault cannot pay now', { timeout: 60_000 }, () => {
  it('is queued with the reason while the vault is empty, and paid once it is filled', async () => {
    const cold = pool.accountOf('coldStorage')
    await pool.node.setBalance({ address: cold.address, value: 10n ** 18n })
    const all = await pool.balanceOf('BTN', pool.contracts.vault)
    await pool.callAfterNotice(pool.vaultCall('moveToCold', [pool.contracts.btn, all, cold.address]))
    const signer = await startSigner()
    const id = await pool.request(member, 'BTN', BTN)
    await waitUntil(async () => {
      await pool.finalize()
      expect(await pool.payout(id)).toMatchObject({ waitsFor: 'float', releaseNumber: null })
    })
    await waitUntil(async () => expect(await pool.readiness(signer)).toBe('ready'))
    await pool.transfer(cold, 'BTN', all)
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final', tokenFailures: 0 })
  })

  it('is queued again and not reverted if the vault skips it', async () => {
    const signer = await startSigner()
    expect(await pool.waitUntilEnded(await pool.request(member, 'USDT', MIN_AMOUNT))).toMatchObject({ ended: 'final' })
    const before = await walletBalance()
    const { id, hash } = await signWithoutBlock()
    await pool.node.dropTransaction({ hash })
    const lower = pool.vaultCall('setPayoutCap', [pool.contracts.usdt, MIN_AMOUNT])
    const lowered = await pool.send(pool.accountOf('administrator'), pool.contracts.vault, lower)
    await waitUntil(async () => {
      await pool.mine(1)
      await pool.client.getTransactionReceipt({ hash: lowered })
    })
    await pool.node.setAutomine(true)
    await waitUntil(async () => {
      await pool.finalize()
      expect(await pool.payout(id)).toMatchObject({ waitsFor: 'cap', releaseNumber: null, tokenFailures: 0 })
    })
    await waitUntil(async () => expect(await pool.readiness(signer)).toBe('ready'))
    // After a day the whole cap is free again.
    await pool.node.increaseTime({ seconds: 86_401 })
    await pool.mine(1)
    await expectPaidOnce(id, before)
  })
})
