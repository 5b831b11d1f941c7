import { expect, it } from 'vitest'
import type { WalletReadiness } from '../../chain/payment/index.ts'
import type { SurveyState } from '../payment/index.ts'
import { findWalletObstacle } from './wallet-obstacle.ts'

const readiness = (kind: WalletReadiness['kind']) => ({ kind }) as WalletReadiness
const read = (survey: { vaultPaused?: boolean; ether?: bigint }) =>
  ({ kind: 'read', survey: { vaultPaused: false, ether: 1n, ...survey } }) as SurveyState
const find = (kind: WalletReadiness['kind'], surveyed: SurveyState = { kind: 'reading' }) =>
  findWalletObstacle(readiness(kind), surveyed)

it('a wallet that is not ready to pay is named with its reason', () => {
  expect(find('absent')).toBe('absent')
  expect(find('locked')).toBe('unreachable')
  expect(find('silent')).toBe('unreachable')
  expect(find('other-account')).toBe('other-account')
  expect(find('other-network')).toBe('other-network')
})

it('a chain that cannot be read, a paused vault and a wallet without the network’s coin are named', () => {
  expect(find('ready', { kind: 'unread', parts: [] })).toBe('unread')
  expect(find('ready', read({ vaultPaused: true }))).toBe('vault-paused')
  expect(find('ready', read({ ether: 0n }))).toBe('no-fee')
})

it('nothing is named while the wallet is read, or if it can pay', () => {
  expect(find('looking')).toBeNull()
  expect(find('ready')).toBeNull()
  expect(find('ready', read({}))).toBeNull()
})
