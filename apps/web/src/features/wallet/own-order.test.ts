import { describe, expect, it } from 'vitest'
import { findOwnOrder } from './own-order.ts'

const ID = '3d2cd4d0-2a93-4b0c-9d70-0d7a1fd0a001'

describe('the order of a log line', () => {
  it('is the transfer, or the order that was paid', () => {
    expect(findOwnOrder({ id: `transferOut:${ID}` })).toEqual({ kind: 'transfer', id: ID })
    for (const type of ['createPledge', 'pledgeReturn', 'upLevelByBalance', 'airdropForActive'])
      expect(findOwnOrder({ id: `${type}:${ID}` })).toEqual({ kind: 'order', id: ID })
  })

  it('is not shown for a reward, because it is the order of another member', () => {
    for (const type of ['promotionReward', 'upLevelReward']) expect(findOwnOrder({ id: `${type}:${ID}` })).toBeNull()
  })

  it('does not exist for a deposit', () => {
    expect(findOwnOrder({ id: `transferIn:0x${'ab'.repeat(32)}:4` })).toBeNull()
  })
})
