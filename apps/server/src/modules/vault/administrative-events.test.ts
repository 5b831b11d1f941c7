import { poolVaultAbi } from '@lode/contracts'
import { describe, expect, it } from 'vitest'
import { vaultEvents } from './administrative-events.ts'

describe('the events of the vault', () => {
  it('are all either about money or about the administration', () => {
    const names = poolVaultAbi.filter((item) => item.type === 'event').map(({ name }) => name)
    expect(Object.keys(vaultEvents).sort()).toEqual(names.sort())
  })
})
