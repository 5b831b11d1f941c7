import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSignerConfig } from '../../platform/config/config.ts'
import { startSigner } from '../../processes/signer.ts'
import { signInTurn } from '../../testing/operators.ts'
import { waitUntil } from '../../testing/pool.ts'
import { proposeApproval, proposePause, proposeResume } from '../operators/index.ts'
import { readSignerState } from './signer-state.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

let pool: PayingPool
let member: PayingMember
beforeAll(async () => {
  pool = await startPayingPool({ wallets: 1 })
  await pool.startWorker()
  member = await pool.addPayingMember((pool.wallets as [PrivateKeyAccount])[0], { USDT: 20_000_000_000n })
}, 60_000)
afterAll(() => pool.close())

const NOT_PINNED = 'not pinned: OPERATORS_CEREMONY is not set, so approvals and resumes are not obeyed'
const LARGE = 6_000_000_000n

const readiness = async (url: string) => {
  const answer = await fetch(new URL('/readyz', url))
  return { code: answer.status, ...((await answer.json()) as Record<string, string>) }
}

const metricsOf = async (url: string): Promise<string> => (await fetch(new URL('/metrics', url))).text()

const poolIdentity = () => ({ pool: pool.contracts.vault, chainId: pool.anvil.chainId })

/** Returns a transfer that is large enough for a review, approved by one operator. */
async function requestApproved(): Promise<string> {
  const id = await pool.request(member, 'USDT', LARGE)
  const terms = { symbol: 'USDT', amount: String(LARGE), address: member.wallet.address } as const
  await signInTurn(pool.db, poolIdentity(), proposeApproval(id, terms), [pool.operators.alice])
  return id
}

describe('the signer', { timeout: 60_000 }, () => {
  it('is ready if its key may pay, and otherwise says that it may not', async () => {
    const pin = { OPERATORS_CEREMONY: pool.operators.ceremony }
    const signer = await pool.startSigner(pin)
    await waitUntil(async () => expect(await readiness(signer.url)).toEqual({ code: 200, status: 'ready' }))
    await signer.close()
    const other = await pool.startSigner({ ...pin, PAYER_KEY: pool.keys.guardian })
    const { address } = pool.accountOf('guardian')
    await waitUntil(async () =>
      expect(await readiness(other.url)).toEqual({ code: 503, status: `${address} is not a payer of the vault` }),
    )
    await other.close()
  })

  it('reports that it pins no ceremony, and pays transfers that need no approval', async () => {
    let log = ''
    const destination = new Writable({
      write(chunk, _encoding, done) {
        log += chunk
        done()
      },
    })
    const config = readSignerConfig({
      ...pool.environment,
      DATABASE_URL: pool.database.urlOf('lode_signer'),
      SIGNER_PORT: '0',
      PAYER_KEY: pool.keys.payer,
      SIGNER_POLL_MS: '25',
    })
    if (!config.ok) throw new Error(config.error.join(' '))
    const signer = await startSigner(config.value, pino({ level: 'warn' }, destination))
    expect(log).toContain(NOT_PINNED)
    await waitUntil(async () =>
      expect(await readiness(signer.url)).toEqual({ code: 200, status: 'ready', operators: NOT_PINNED }),
    )
    const metrics = await metricsOf(signer.url)
    expect(metrics).toMatch(/^lode_signer_operators_pinned\{process="signer"\} 0$/m)
    expect(metrics).toMatch(/^lode_payer_stopped\{process="signer"\} 0$/m)
    expect(await readSignerState(pool.db)).toMatchObject({ pinnedLink: null, obeysApprovals: false })

    const waiting = await requestApproved()
    expect(await pool.waitUntilEnded(await pool.request(member, 'USDT', 10_000_000n))).toMatchObject({ ended: 'final' })
    expect((await pool.payout(waiting)).releaseNumber).toBeNull()
    expect(await pool.cancel(member, waiting)).toBe('ok')
    await signer.close()
  })

  it('that pins the ceremony pays a transfer soon after its approval', async () => {
    const signer = await pool.startSigner({ OPERATORS_CEREMONY: pool.operators.ceremony })
    await waitUntil(async () => expect(await readiness(signer.url)).toEqual({ code: 200, status: 'ready' }))
    expect(await metricsOf(signer.url)).toMatch(/^lode_signer_operators_pinned\{process="signer"\} 1$/m)
    expect(await readSignerState(pool.db)).toMatchObject({ pinnedLink: pool.operators.ceremony, obeysApprovals: true })

    const id = await pool.request(member, 'USDT', LARGE)
    // The signer has looked at the transfer and postponed it for minutes.
    await waitUntil(async () => expect((await pool.payout(id)).lookAt.getTime()).toBeGreaterThan(Date.now() + 60_000))
    const terms = { symbol: 'USDT', amount: String(LARGE), address: member.wallet.address } as const
    await signInTurn(pool.db, poolIdentity(), proposeApproval(id, terms), [pool.operators.alice])
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    await signer.close()
  })

  it('is not ready and pays nothing if it pins a link that the operator chain does not have', async () => {
    const ceremony: Hex = `0x${'ab'.repeat(32)}`
    const signer = await pool.startSigner({ OPERATORS_CEREMONY: ceremony })
    await waitUntil(async () =>
      expect(await readiness(signer.url)).toEqual({
        code: 503,
        status: `the operator chain does not verify: the operator chain does not have the link ${ceremony.slice(2)}`,
      }),
    )
    const metrics = await metricsOf(signer.url)
    expect(metrics).toMatch(/^lode_signer_operators_pinned\{process="signer"\} 0$/m)
    expect(metrics).toMatch(/^lode_payer_stopped\{process="signer"\} 1$/m)
    expect(await readSignerState(pool.db)).toMatchObject({ pinnedLink: ceremony, obeysApprovals: false })
    await signer.close()
  })

  it('is ready while operators have paused payouts, and says until when', async () => {
    const { alice, bob, ceremony } = pool.operators
    const signer = await pool.startSigner({ OPERATORS_CEREMONY: ceremony })
    await signInTurn(pool.db, poolIdentity(), proposePause(new Date(Date.now() + 3_600_000), 'a drill'), [alice])
    await waitUntil(async () =>
      expect(await readiness(signer.url)).toEqual({
        code: 200,
        status: 'ready',
        payouts: expect.stringMatching(/^paused until \d{4}-/),
      }),
    )
    expect(await metricsOf(signer.url)).toMatch(/^lode_payouts_paused\{process="signer"\} 1$/m)
    await signInTurn(pool.db, poolIdentity(), proposeResume('it was a drill'), [alice, bob])
    await waitUntil(async () =>
      expect(await metricsOf(signer.url)).toMatch(/^lode_payouts_paused\{process="signer"\} 0$/m),
    )
    expect(await readiness(signer.url)).toEqual({ code: 200, status: 'ready' })
    await signer.close()
  })

  it('is the only role that can write the signer state', async () => {
    const { rows } = await sql<{ role: string }>`
      select role from unnest(array['lode_api', 'lode_worker', 'lode_operator', 'lode_signer']) as role
      where has_table_privilege(role, 'lode.signer_state', 'insert, update, delete, truncate')`.execute(pool.db)
    expect(rows).toEqual([{ role: 'lode_signer' }])
  })
})
