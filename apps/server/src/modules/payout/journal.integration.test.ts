import { readFileSync, writeFileSync } from 'node:fs'
import { appendFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { idOnChain } from '../../platform/chain/id-on-chain.ts'
import { signInTurn } from '../../testing/operators.ts'
import { waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode } from '../../testing/unreliable-node.ts'
import { proposeRestoreAcknowledgment } from '../operators/index.ts'
import { hashOfLines, readJournal } from './journal.ts'
import { acknowledgeRestore } from './restore/acknowledge-restore.ts'
import { forgetLastRelease } from './testing/forget-last-release.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

const MIN_AMOUNT = 10_000_000n

let pool: PayingPool
let member: PayingMember
let path: string
beforeAll(async () => {
  pool = await startPayingPool({ wallets: 1 })
  path = join(pool.folder, 'signer.journal')
  await pool.startWorker()
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  member = await pool.addPayingMember(wallet, { USDT: 20_000_000_000n, BTN: 10n ** 24n })
}, 60_000)
afterAll(() => pool.close())

const signers: { close(): Promise<void> }[] = []
const startSigner: PayingPool['startSigner'] = async (extra) => {
  const signer = await pool.startSigner(extra)
  signers.push(signer)
  return signer
}
const stopSigners = () => Promise.all(signers.splice(0).map((signer) => signer.close()))
afterEach(async () => {
  await stopSigners()
  await pool.node.setAutomine(true)
})

const journal = async () => {
  const found = await readJournal(path)
  if (!found) throw new Error('there is no journal')
  return found
}

const countReleases = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from lode.release`.execute(pool.db)
  return rows[0]?.count ?? 0
}

describe("the signer's journal", { timeout: 60_000 }, () => {
  it('has every version of a release before a node gets it, with all that is needed to store it again', async () => {
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    const sentBefore: Hex[] = []
    node.changeAnswer = ({ method, params }, answer) => {
      if (method === 'eth_sendRawTransaction') {
        const hash = keccak256(params[0] as Hex)
        if (!readFileSync(path, 'utf8').includes(hash)) sentBefore.push(hash)
      }
      return answer
    }
    await pool.node.setAutomine(false)
    await startSigner({ CHAIN_RPC_URL: node.rpcUrl, SIGNER_STUCK_AFTER_MS: '100' })
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntil(async () => expect((await journal()).lines).toMatchObject([{}, { kind: 'higherFee', attempt: 2 }]))
    await pool.node.setAutomine(true)
    await pool.waitUntilEnded(id)
    await stopSigners()
    await node.close()
    expect(sentBefore).toEqual([])

    const { lines, chainId, vault } = await journal()
    expect({ chainId, vault }).toEqual({ chainId: pool.contracts.chainId, vault: pool.contracts.vault })
    expect(lines[0]).toMatchObject({
      kind: 'payouts',
      payer: pool.accountOf('payer').address,
      nonce: '0',
      burn: null,
      payouts: [
        {
          id: idOnChain(id),
          kind: 'transfer',
          member: member.wallet.address,
          to: member.wallet.address,
          asset: 'USDT',
          amount: String(MIN_AMOUNT),
          fee: String(pool.terms.USDT.fee),
          planVersion: 1,
          level: 5,
        },
      ],
    })
    const { rows } = await sql<{ hash: Buffer }>`select hash from lode.release_form order by signed_at`.execute(pool.db)
    expect(lines.map(({ hash }) => hash)).toEqual(rows.map(({ hash }) => `0x${hash.toString('hex')}`))
  })

  it('has a burn with its amount', async () => {
    await startSigner()
    await pool.waitUntilEnded(await pool.request(member, 'BTN', 1_000n * 10n ** 18n))
    await waitUntil(async () => expect((await journal()).lines.at(-1)).toMatchObject({ kind: 'burn', payouts: [] }))
    const { rows } = await sql<{ burned: string }>`select burned from lode.release where kind = 'burn'`.execute(pool.db)
    expect((await journal()).lines.at(-1)).toMatchObject({ burn: rows[0]?.burned })
  })

  it('stops a signer that cannot write or read it, until it can', async () => {
    const before = await readFile(path)
    const lines = before.toString().split('\n')
    writeFileSync(path, [lines[0], 'damaged', ...lines.slice(2)].join('\n'))
    const signer = await startSigner()
    await waitUntil(async () =>
      expect(await pool.readiness(signer)).toMatch(/line 2 of the signer's journal is damaged/),
    )
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntil(async () => expect(await pool.payout(id)).toMatchObject({ waitsFor: 'chain', releaseNumber: null }))
    expect(await readMetric(signer, 'lode_signer_journal_problem')).toBe(1)
    writeFileSync(path, before)
    await pool.waitUntilEnded(id)
    expect(await readMetric(signer, 'lode_signer_journal_problem')).toBe(0)
  })

  it('gets the open releases of the database when a signer takes over without it', async () => {
    await startSigner()
    await pool.node.setAutomine(false)
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntil(async () =>
      expect(await pool.pendingTransactionsOf(pool.accountOf('payer').address)).toHaveLength(1),
    )
    await stopSigners()
    const elsewhere = join(pool.folder, 'other-host.journal')
    await startSigner({ SIGNER_JOURNAL: elsewhere })
    await waitUntil(async () =>
      expect((await readJournal(elsewhere))?.lines).toMatchObject([{ payouts: [{ id: idOnChain(id) }] }]),
    )
    await pool.node.setAutomine(true)
    await pool.waitUntilEnded(id)
    await stopSigners()
    // The first host is behind now, which is no problem: it lacks a release, and the database has it.
    const signer = await startSigner()
    await waitUntil(async () => expect(await pool.readiness(signer)).toBe('ready'))
  })
})

const readMetric = async ({ url }: { readonly url: string }, name: string): Promise<number> => {
  const text = await (await fetch(new URL('/metrics', url))).text()
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1])
}

describe('a database that went back in time', { timeout: 60_000 }, () => {
  it('gets nothing signed or sent until the restore is acknowledged for this journal', async () => {
    await startSigner()
    await pool.node.setAutomine(false)
    const lost = await pool.request(member, 'USDT', MIN_AMOUNT)
    const payer = pool.accountOf('payer').address
    const [hash] = await waitUntil(async () => {
      const pending = await pool.pendingTransactionsOf(payer)
      expect(pending).toHaveLength(1)
      return pending as [Hex]
    })
    await stopSigners()
    await pool.node.dropTransaction({ hash })
    await pool.node.setAutomine(true)
    await forgetLastRelease(pool.db)
    const releases = await countReleases()

    const signer = await startSigner()
    const { release, at } = (await journal()).lines.at(-1) ?? {}
    const refusal = `the database lacks release ${release}, which this signer sent at ${at}: the database went back in time. Run: lode restored`
    await waitUntil(async () => expect(await pool.readiness(signer)).toBe(refusal))
    await waitUntil(async () =>
      expect(await pool.payout(lost)).toMatchObject({ waitsFor: 'chain', releaseNumber: null }),
    )
    expect(await readMetric(signer, 'lode_signer_journal_problem')).toBe(1)
    expect(await countReleases()).toBe(releases)
    expect(await pool.pendingTransactionsOf(payer)).toEqual([])

    const { bytes, lineCount } = await journal()
    const acknowledge = (lines: number, journalHash: Buffer) =>
      signInTurn(
        pool.db,
        { pool: pool.contracts.vault, chainId: pool.contracts.chainId },
        proposeRestoreAcknowledgment({ lines, journal: journalHash.toString('hex'), block: '1' }, 'a test'),
        [pool.operators.alice, pool.operators.bob],
        async (trx, { id, complete }) => {
          if (complete) await acknowledgeRestore(trx, id)
          return ok(null)
        },
      )
    // Of another journal, and of this one up to the line before.
    await acknowledge(lineCount, Buffer.alloc(32))
    await acknowledge(lineCount - 1, hashOfLines(bytes, lineCount - 1) as Buffer)
    await new Promise((later) => setTimeout(later, 300))
    expect(await pool.readiness(signer)).toBe(refusal)
    expect(await countReleases()).toBe(releases)

    await acknowledge(lineCount, hashOfLines(bytes, lineCount) as Buffer)
    const held = await pool.balanceOf('USDT', member.wallet.address)
    expect(await pool.waitUntilEnded(lost)).toMatchObject({ ended: 'final' })
    expect((await pool.balanceOf('USDT', member.wallet.address)) - held).toBe(MIN_AMOUNT)
  })

  it('is recognized on the next connection of a running signer, and no release is sent again', async () => {
    const signer = await startSigner()
    await pool.node.setAutomine(false)
    const first = await pool.request(member, 'USDT', MIN_AMOUNT)
    const payer = pool.accountOf('payer').address
    const [hash] = await waitUntil(async () => {
      const pending = await pool.pendingTransactionsOf(payer)
      expect(pending).toHaveLength(1)
      return pending as [Hex]
    })
    expect(await pool.payout(first)).toMatchObject({ ended: null })
    // The journal has one more version of this release than the database.
    const { lines } = await journal()
    const higher = { ...lines.at(-1), kind: 'higherFee', attempt: 2, hash: keccak256(hash) }
    await appendFile(path, `${JSON.stringify({ ...higher, line: undefined, end: undefined, payouts: undefined })}\n`)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = 'lode_signer'`.execute(pool.db)
    await waitUntil(async () => expect(await pool.readiness(signer)).toMatch(/the database lacks release/))
    await pool.node.dropTransaction({ hash })
    await new Promise((later) => setTimeout(later, 300))
    expect(await pool.pendingTransactionsOf(payer)).toEqual([])
    await stopSigners()
    await rm(path)
  })
})
