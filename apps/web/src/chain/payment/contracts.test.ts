import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { concat, decodeErrorResult, pad, toEventSelector, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { depositedEvent, paidEvent, QUOTE_EXPIRED, QUOTE_SPENT, tokenAbi, VAULT_PAUSED, vaultAbi } from './contracts.ts'

const selectors = (abi: readonly { type: string; name?: string }[], names: ReadonlySet<string | undefined>) =>
  abi
    .filter((item) => item.type === 'function' && names.has(item.name))
    .map((item) => toFunctionSelector(item as Parameters<typeof toFunctionSelector>[0]))
    .sort()

describe('the small ABI of the app', () => {
  it.each([
    ['vault', vaultAbi, poolVaultAbi],
    ['token', tokenAbi, btnTokenAbi],
  ])('has the same function selectors as the %s contract', (_name, small, generated) => {
    const names = new Set(small.map(({ name }) => name))
    expect(selectors(small, names)).toEqual(selectors(generated, names))
  })

  it.each([
    ['Deposited', depositedEvent],
    ['Paid', paidEvent],
  ])('has the signature of the event %s', (name, signature) => {
    const event = poolVaultAbi.find((item) => item.type === 'event' && item.name === name)
    expect(event && toEventSelector(event as Parameters<typeof toEventSelector>[0])).toBe(toEventSelector(signature))
  })

  it.each([
    ['EnforcedPause', VAULT_PAUSED],
    ['QuoteExpired', QUOTE_EXPIRED],
    ['QuoteSpent', QUOTE_SPENT],
  ])('has the selector of the error %s', (name, selector) => {
    const error = decodeErrorResult({ abi: poolVaultAbi, data: concat([selector, pad('0x1')]) })
    expect(error.errorName).toBe(name)
  })
})
