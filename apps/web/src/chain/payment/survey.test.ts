import { maxUint256 } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { READ_TIMEOUT_MS } from '../../shared/pool/index.ts'
import { createChainReader } from './chain-reader.ts'
import { readSurvey } from './survey.ts'
import { intent } from './testing/example.ts'
import { scriptedWallet } from './testing/scripted-wallet.ts'

const never = () => new Promise<never>(() => {})
const BALANCE_OF = '0x70a08231'
const ALLOWANCE = '0xdd62ed3e'
const APPROVE = '0x095ea7b3'

function survey(prepare: (chain: ReturnType<typeof scriptedWallet>['chain']) => void) {
  const { chain, wallet } = scriptedWallet()
  prepare(chain)
  return { chain, surveyed: readSurvey(createChainReader(wallet.provider), intent) }
}

describe('the survey before a payment', () => {
  it('includes an unlimited allowance', async () => {
    const { surveyed } = survey((chain) => {
      chain.allowance = maxUint256
    })
    expect(await surveyed).toMatchObject({ ok: true, value: { allowance: maxUint256, resetFirst: false } })
  })

  for (const allowance of [1n, 2n, intent.units, maxUint256 - 1n, maxUint256])
    it(`finds out with a trial call whether an allowance of ${allowance} can be changed`, async () => {
      const { chain, surveyed } = survey((chain) => {
        chain.allowance = allowance
        // Like Tether: an allowance can change to another nonzero one only after it was set to zero.
        chain.refusesAllowance = (value) => value !== 0n
      })
      expect(await surveyed).toMatchObject({ ok: true, value: { resetFirst: true } })
      expect(chain.triedAllowances).toHaveLength(1)
      expect(chain.triedAllowances).not.toContain(0n)
      expect(chain.triedAllowances).not.toContain(allowance)
    })

  it('does not ask for a reset if the token only stores fewer than 256 bits', async () => {
    const most = 2n ** 96n - 1n
    const { surveyed } = survey((chain) => {
      chain.allowance = most
      chain.refusesAllowance = (value) => value > most
    })
    expect(await surveyed).toMatchObject({ ok: true, value: { resetFirst: false } })
  })

  it('makes no trial call if there is no allowance', async () => {
    const { chain, surveyed } = survey((chain) => {
      chain.allowance = 0n
    })
    expect(await surveyed).toMatchObject({ ok: true, value: { resetFirst: false } })
    expect(chain.triedAllowances).toEqual([])
  })
})

describe('a failed read of the survey', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is named', async () => {
    const { surveyed } = survey((chain) => {
      chain.instead = (method, data) =>
        method === 'eth_getBalance' || data?.startsWith(BALANCE_OF) ? Promise.reject(new Error('no')) : null
    })
    expect(await surveyed).toEqual({ ok: false, error: ['balance', 'fee'] })
  })

  it('is named after eight seconds without an answer', async () => {
    const { surveyed } = survey((chain) => {
      chain.instead = (_method, data) => (data?.startsWith(ALLOWANCE) ? never() : null)
    })
    let outcome: unknown
    void surveyed.then((value) => {
      outcome = value
    })
    await vi.advanceTimersByTimeAsync(READ_TIMEOUT_MS - 1)
    expect(outcome).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(READ_TIMEOUT_MS).toBe(8_000)
    expect(outcome).toEqual({ ok: false, error: ['allowance'] })
  })

  it('ends within the same eight seconds if only the last read gets no answer', async () => {
    const { surveyed } = survey((chain) => {
      chain.instead = (_method, data) => {
        if (data?.startsWith(APPROVE)) return never()
        return data?.startsWith(ALLOWANCE) ? new Promise((later) => setTimeout(later, 6_000, word(5n))) : null
      }
    })
    await vi.advanceTimersByTimeAsync(READ_TIMEOUT_MS)
    expect(await Promise.race([surveyed, 'still reading'])).toEqual({ ok: false, error: ['allowance'] })
  })

  it('names every part if nothing is answered', async () => {
    const { surveyed } = survey((chain) => {
      chain.instead = never
    })
    await vi.advanceTimersByTimeAsync(READ_TIMEOUT_MS)
    expect(await surveyed).toEqual({
      ok: false,
      error: ['balance', 'allowance', 'permit', 'vault', 'fee', 'time'],
    })
  })
})

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`
