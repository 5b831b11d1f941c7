import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import { describeStopReason } from './describe-stop-reason.ts'

const address = getAddress(`0x${'11'.repeat(20)}`)
const contracts: Pick<PoolContracts, 'tokens'> = {
  tokens: { USDT: { address, decimals: 6 }, BTN: { address, decimals: 18 }, BTC: { address, decimals: 8 } },
}

describe('the reason of a stop', () => {
  it.each([
    [
      'the vault holds 1500000 USDT, but the ledger with the logs of node-1 says 2500000',
      'the vault holds 1.5 USDT, but the ledger with the logs of node-1 says 2.5 USDT',
    ],
    [
      'of 2000000000000000000 BTN sent to cold storage 1000000000000000000 arrived',
      'of 2 BTN sent to cold storage 1 BTN arrived',
    ],
    [
      '100000000 BTC left the vault and went to 0x12, without a vault event',
      '1 BTC left the vault and went to 0x12, without a vault event',
    ],
    ['block 17 is another one than before', 'block 17 is another one than before'],
  ])('has its amounts in whole coins: %s', (reason, shown) => {
    expect(describeStopReason(reason, contracts as PoolContracts)).toBe(shown)
  })
})
