import { zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { idFromChain, idOnChain } from './id-on-chain.ts'

describe('the id of a payout', () => {
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'

  it('is its uuid on the chain, after sixteen zero bytes', () => {
    expect(idOnChain(uuid)).toBe(`0x${'0'.repeat(32)}0f8fad5bd9cb469fa16570867728950e`)
    expect(idFromChain(idOnChain(uuid))).toBe(uuid)
  })

  it('is not ours if the sixteen bytes before the uuid are not zero', () => {
    expect(idFromChain(`0x1${idOnChain(uuid).slice(3)}`)).toBeNull()
    expect(idFromChain(zeroHash)).toBe('00000000-0000-0000-0000-000000000000')
  })
})
