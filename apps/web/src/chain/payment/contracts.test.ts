import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { decodeErrorResult, toEventSelector, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { depositedEvent, tokenAbi, VAULT_PAUSED, vaultAbi } from './contracts.ts'

const selectors = (abi: readonly { type: string; name?: string }[], names: ReadonlySet<string | undefined>) =>
  abi
    .filter((item) => item.type === 'function' && names.has(item.name))
    .map((item) => toFunctionSelector(item as Parameters<typeof toFunctionSelector>[0]))
    .sort()

describe('the small ABI that the page carries', () => {
  it.each([
    ['vault', vaultAbi, poolVaultAbi],
    ['token', tokenAbi, btnTokenAbi],
  ])('calls the %s as its contract is called', (_name, small, generated) => {
    const names = new Set(small.map(({ name }) => name))
    expect(selectors(small, names)).toEqual(selectors(generated, names))
  })

  it('knows the event of a deposit and the error of a paused vault', () => {
    const event = poolVaultAbi.find((item) => item.type === 'event' && item.name === 'Deposited')
    expect(event && toEventSelector(event as Parameters<typeof toEventSelector>[0])).toBe(
      toEventSelector(depositedEvent),
    )
    expect(decodeErrorResult({ abi: poolVaultAbi, data: VAULT_PAUSED }).errorName).toBe('EnforcedPause')
  })
})
