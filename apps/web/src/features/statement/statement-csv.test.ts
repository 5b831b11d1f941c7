import { beforeAll, describe, expect, it } from 'vitest'
import { loadTextsOfMembers, startI18n, text } from '../../shared/i18n/index.ts'
import { isUsed, partsOf } from './entries.ts'
import { netText, statementCsv, statementCsvName } from './statement-csv.ts'
import type { Account, Statement } from './use-statement.ts'

const unused: Account = {
  symbol: 'BTC',
  paidIn: { amount: '0', deposits: '0', beforeRegistering: '0', promotionsOnline: '0', pledgesOnline: '0' },
  received: { amount: '0', parts: [] },
  ...{ promotions: '0', transferredOut: '0', fees: '0' },
  held: { amount: '0', available: '0', out: '0', order: '0', pledged: '0' },
  principal: { pledged: '0', returned: '0' },
  net: { direction: 'in', amount: '0' },
}

const usdt: Account = {
  ...{ ...unused, symbol: 'USDT' },
  paidIn: { ...unused.paidIn, amount: '210', deposits: '150', promotionsOnline: '60' },
  received: { amount: '10.5', parts: [{ type: 'promotionReward', amount: '10.5' }] },
  ...{ promotions: '100', transferredOut: '20', fees: '1' },
  held: { ...unused.held, amount: '99.5', available: '99.5' },
  net: { direction: 'in', amount: '190' },
}

const statement: Statement = {
  at: '2026-11-15T06:00:00.000Z',
  accounts: [usdt, unused],
  total: {
    ...{ paidIn: '210', received: '10.5', transferredOut: '20', held: '99.5', without: [] },
    net: { direction: 'in', amount: '190' },
  },
}

beforeAll(async () => {
  await startI18n({ onLanguage: () => {}, onFailure: () => {} })
  await loadTextsOfMembers()
})

describe('a statement as a file', () => {
  it('has a row for everything that is more than nothing, signed, and what it comes to', () => {
    const rows = statementCsv(text, statement, '0xabc').slice(1).split('\r\n')
    expect(rows).toEqual([
      'Account,0xabc',
      'As of (UTC),2026-11-15T06:00:00.000Z',
      'Symbol,Part,Entry,Amount',
      'USDT,Paid in,Deposits,150',
      'USDT,Paid in,Promotions paid online,60',
      'USDT,Received,Promotion reward,10.5',
      'USDT,Went out,Transferred out,-20',
      'USDT,Went out,Fees of transfers,-1',
      'USDT,Went out,Promotions bought,-100',
      'USDT,Held now,Available,99.5',
      'USDT,Held now,In all,99.5',
      'USDT,Net,more was paid in than transferred out,-190',
      '',
    ])
  })

  it('is named by its day', () => {
    expect(statementCsvName(statement.at)).toBe('lode-statement-2026-11-15.csv')
  })
})

describe('a statement on the screen', () => {
  it('says what is held also where that is nothing, and leaves out a symbol in which nothing happened', () => {
    expect(partsOf(text, unused).map(({ name }) => name)).toEqual(['held'])
    expect([usdt, unused].map(isUsed)).toEqual([true, false])
  })

  it('tells the principal of pledges apart from what came and left', () => {
    const btn: Account = { ...unused, symbol: 'BTN', principal: { pledged: '100', returned: '40' } }
    const principal = partsOf(text, btn).at(-1)
    expect(principal).toMatchObject({ name: 'principal', sum: null })
    expect(principal?.entries.map(({ sign, amount }) => [sign, amount])).toEqual([
      [null, '100'],
      [null, '40'],
    ])
  })

  it('says in words which way the net is', () => {
    const words = (direction: 'in' | 'out', amount: string) => netText(text, { direction, amount })
    expect([words('in', '1'), words('out', '1'), words('in', '0')]).toEqual([
      'more was paid in than transferred out',
      'more was transferred out than paid in',
      'as much was transferred out as paid in',
    ])
  })
})
