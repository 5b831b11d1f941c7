import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { poolVaultAbi } from '@lode/contracts'
import { announcedCalls, exampleAddress, exampleTxid } from '@lode/contracts/dev/announced-calls'
import { announcementKinds } from '@lode/wire'
import { concat, encodeFunctionData, getAddress, type Hex, keccak256, pad, stringToHex, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import { readAnnouncedCall } from './announced-call.ts'

const token = (digits: Hex) => getAddress(pad(digits, { size: 20 }))
const pool: PoolContracts = {
  vault: token('0xa0'),
  formerVaults: [],
  firstBlock: 1n,
  tokens: {
    USDT: { address: token('0xa1'), decimals: 6 },
    BTN: { address: token('0xa2'), decimals: 18 },
    BTC: { address: token('0xa3'), decimals: 8 },
  },
  priceFeeds: { BTC: token('0xa4'), BTN: token('0xa5') },
}
const calls = announcedCalls({ usdt: token('0xa1'), btn: token('0xa2'), btc: token('0xa3') })

/** The arguments as one line. */
const argumentsOf = (data: Hex): string =>
  readAnnouncedCall(data, pool)
    .arguments.map(({ name, value, symbol }) => `${name} ${value}${symbol ? ` ${symbol}` : ''}`)
    .join(', ')

describe('an announced call', () => {
  it.each(announcementKinds)('%s is recognized', (kind) => {
    expect(readAnnouncedCall(calls[kind], pool).kind).toBe(kind)
  })

  it('has its arguments in full, amounts in whole coins', () => {
    expect(argumentsOf(calls.moveToCold)).toBe(
      `token ${token('0xa1')} USDT, amount 1234.5 USDT, coldStorage ${exampleAddress}`,
    )
    expect(argumentsOf(calls.moveTo)).toBe(`successor ${exampleAddress}, token ${token('0xa2')} BTN`)
    expect(argumentsOf(calls.setPayoutCap)).toBe(`token ${token('0xa3')} BTC, cap 21.5 BTC`)
    expect(argumentsOf(calls.setBurnCap)).toBe('cap 6000000 BTN')
    expect(argumentsOf(calls.setPayoutGas)).toBe('gas 200000')
    expect(argumentsOf(calls.grantPayer)).toBe(`account ${exampleAddress}`)
    expect(argumentsOf(calls.revokeGuardian)).toBe(`account ${exampleAddress}`)
    expect(argumentsOf(calls.reinstateEvidence)).toBe(`bitcoinTxid ${exampleTxid}, bitcoinOutput 3`)
    expect(argumentsOf(calls.other)).toBe('callData 0x0badcafe')
  })

  it('of a foreign token has the amount in its smallest units', () => {
    expect(argumentsOf(calls.rescue)).toBe(`token ${exampleAddress}, amount 77, to ${exampleAddress}`)
  })

  const withPayerRole = { abi: poolVaultAbi, args: [keccak256(stringToHex('PAYER')), zeroAddress] } as const
  it.each([
    ['has bytes after its arguments', concat([calls.setColdStorage, '0x00'])],
    ['is cut off', calls.setColdStorage.slice(0, -2) as Hex],
    [
      'has more than an address in an address',
      `${calls.setColdStorage.slice(0, 10)}01${calls.setColdStorage.slice(12)}`,
    ],
    ['is empty', '0x'],
    ['needs no announcement', encodeFunctionData({ abi: poolVaultAbi, functionName: 'unpause' })],
    ['dismisses a payer, which needs none', encodeFunctionData({ ...withPayerRole, functionName: 'revokeRole' })],
  ] as const)('that %s is shown as it is', (_what, data) => {
    expect(readAnnouncedCall(data as Hex, pool)).toEqual({
      kind: 'other',
      arguments: [{ name: 'callData', value: data, symbol: null }],
    })
  })
})

describe('every function of the vault that needs an announcement', () => {
  it('is read', () => {
    const folder = fileURLToPath(new URL('../../../../../packages/contracts/src/', import.meta.url))
    const source = ['PoolVault.sol', 'internal/AcceptedRoles.sol', 'internal/ExpiringPause.sol']
      .map((file) => readFileSync(`${folder}${file}`, 'utf8'))
      .join('\n')
    const announced = source
      .split(/\n {4}function /)
      .slice(1)
      .flatMap((text) => {
        const body = text.split('\n    }\n')[0] ?? ''
        return /announced\(\d\)|_useAnnouncement\(\d\)/.test(body) ? [/^\w+/.exec(text)?.[0]] : []
      })
    const read = Object.values(calls).flatMap((data) =>
      poolVaultAbi.flatMap((item) =>
        item.type === 'function' && data.startsWith(selectorOf(item.name)) ? [item.name] : [],
      ),
    )
    expect(announced.length).toBeGreaterThan(8)
    expect(Array.from(new Set(read)).sort()).toEqual(Array.from(new Set(announced)).sort())
  })
})

function selectorOf(name: string): string {
  const item = poolVaultAbi.find((one) => one.type === 'function' && one.name === name)
  if (item?.type !== 'function') throw new Error(`there is no function ${name}`)
  const types = item.inputs.map(({ type }) => type).join()
  return keccak256(stringToHex(`${name}(${types})`)).slice(0, 10)
}
