import { expect, it } from 'vitest'
import { assetOrRefuse } from './amounts.ts'

it('a symbol may be typed in small letters, and another word is refused', () => {
  expect(['usdt', 'Btn', 'BTC'].map(assetOrRefuse)).toEqual(['USDT', 'BTN', 'BTC'])
  expect(() => assetOrRefuse('eth')).toThrow('eth is not an asset. Use one of: USDT, BTN, BTC.')
})
