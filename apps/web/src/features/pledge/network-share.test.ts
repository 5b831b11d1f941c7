import { describe, expect, it } from 'vitest'
import { computeNetworkShare } from './network-share.ts'

describe('a network share', () => {
  it.each([
    ['187500', '1588983', '11.8%'],
    ['10001', '10001', '100%'],
    ['9999.9999', '10000', '99.9%'],
    ['12501.25', '50005', '25%'],
    ['1498', '100000', '1.49%'],
    ['5', '10000', '0.05%'],
    ['1', '1000001', '<0.01%'],
    ['0', '10001', '0%'],
    ['0', '0', '0%'],
  ])('of %s of %s is %s', (own, all, text) => {
    expect(computeNetworkShare(own, all).text).toBe(text)
  })

  it('fills the same part of the ring', () => {
    expect(computeNetworkShare('1', '4').part).toBe(0.25)
    expect(computeNetworkShare('0', '0').part).toBe(0)
  })
})
