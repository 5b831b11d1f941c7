import { beforeAll, describe, expect, it } from 'vitest'
import { loadMemberTexts, startI18n, text } from '../../shared/i18n/index.ts'
import { buildStatementCsv, statementCsvName } from './statement-csv.ts'
import { buildPeriodParts, buildResultPart, buildStatementParts, hasEntries } from './statement-parts.ts'
import type { AccountStatement, Statement } from './use-statement.ts'

const unused: AccountStatement = {
  symbol: 'BTC',
  paidIn: {
    amount: '0',
    deposits: '0',
    beforeRegistering: '0',
    undone: '0',
    promotionsOnline: '0',
    pledgesOnline: '0',
  },
  received: { amount: '0', parts: [] },
  spent: { amount: '0', promotionsFromBalance: '0', promotionsOnline: '0', transferFees: '0', undone: '0' },
  takenOut: '0',
  held: { amount: '0', available: '0', out: '0', order: '0', pledged: '0' },
  principal: { pledged: '0', returned: '0' },
  result: { takenOutAndHeld: '0', than: 'same', difference: '0' },
}

const usdt: AccountStatement = {
  ...unused,
  symbol: 'USDT',
  paidIn: { ...unused.paidIn, amount: '210', deposits: '150', promotionsOnline: '60' },
  received: { amount: '10.5', parts: [{ type: 'promotionReward', amount: '10.5' }] },
  spent: { amount: '101', promotionsFromBalance: '40', promotionsOnline: '60', transferFees: '1', undone: '0' },
  takenOut: '20',
  held: { ...unused.held, amount: '99.5', available: '79.5', out: '20' },
  result: { takenOutAndHeld: '119.5', than: 'less', difference: '90.5' },
}

const statement: Statement = {
  at: '2026-11-15T06:00:00.000Z',
  accounts: [usdt, unused],
  total: {
    paidIn: '210',
    received: '10.5',
    spent: '101',
    takenOut: '20',
    held: '99.5',
    without: ['BTN'],
    result: { takenOutAndHeld: '119.5', than: 'less', difference: '90.5' },
  },
}

beforeAll(async () => {
  await startI18n({ onLanguage: () => {}, onFailure: () => {} })
  await loadMemberTexts()
})

describe('a statement as a file', () => {
  it('has the lines of the screen: the equation with the entries of each term, and the result', () => {
    const rows = buildStatementCsv(text, statement, '0xabc').slice(1).split('\r\n')
    const all = '"All in USDT, at today’s prices"'
    expect(rows).toEqual([
      'Account,0xabc',
      'As of (UTC),2026-11-15T06:00:00.000Z',
      'Symbol,Part,Entry,Amount',
      `${all},Paid in,Total,210`,
      `${all},Received,Total,10.5`,
      `${all},Spent,Total,-101`,
      `${all},Taken out,Total,-20`,
      `${all},Held now,Total,99.5`,
      `${all},Result,Taken out + held now,119.5`,
      `${all},Result,Paid in,210`,
      `${all},Result,Less than paid in,90.5`,
      `${all},Excludes BTN (no price)`,
      'USDT,Paid in,Total,210',
      'USDT,Paid in,Deposits,150',
      'USDT,Paid in,Promotions paid online,60',
      'USDT,Received,Total,10.5',
      'USDT,Received,Referral reward,10.5',
      'USDT,Spent,Total,-101',
      'USDT,Spent,Promotions paid from balance,-40',
      'USDT,Spent,Promotions paid online,-60',
      'USDT,Spent,Transfer fees,-1',
      'USDT,Taken out,Total,-20',
      'USDT,Taken out,Arrived at your output address,-20',
      'USDT,Held now,Total,99.5',
      'USDT,Held now,Available,79.5',
      'USDT,Held now,On its way out,20',
      'USDT,Result,Taken out + held now,119.5',
      'USDT,Result,Paid in,210',
      'USDT,Result,Less than paid in,90.5',
      '',
    ])
  })

  it('has rows that add up to the held amount', () => {
    const sums = buildStatementCsv(text, statement, '0xabc')
      .split('\r\n')
      .filter((row) => row.startsWith('USDT') && row.includes('Total'))
      .map((row) => Number(row.split(',').at(-1)))
    expect(sums.slice(0, -1).reduce((sum, amount) => sum + amount, 0)).toBe(sums.at(-1))
  })

  it('has its day in the file name', () => {
    expect(statementCsvName(statement.at)).toBe('lode-statement-2026-11-15.csv')
  })
})

describe('a statement on the screen', () => {
  it('shows every term of the equation, also zero ones, and omits an asset without entries', () => {
    const terms = buildStatementParts(text, unused).map(({ name, sum, entries }) => [
      name,
      sum?.sign,
      sum?.amount,
      entries.length,
    ])
    expect(terms).toEqual([
      ['paidIn', null, '0', 0],
      ['received', null, '0', 0],
      ['spent', null, '0', 0],
      ['takenOut', null, '0', 0],
      ['held', '=', '0', 0],
      ['result', undefined, undefined, 3],
    ])
    expect([usdt, unused].map(hasEntries)).toEqual([true, false])
  })

  it('counts a false credit that was undone in a period, and does not say that it is not counted', () => {
    const spent = { ...unused.spent, amount: '300', undone: '300' }
    const parts = buildPeriodParts(text, { ...unused, opening: '300', spent, closing: '0' })
    expect(parts.find(({ name }) => name === 'spent')?.entries).toEqual([
      { name: 'False credits undone', amount: '300', sign: '−' },
    ])
  })

  it('explains that frozen money counts as held, if any is frozen', () => {
    const note = (account: AccountStatement) =>
      buildStatementParts(text, account).find(({ name }) => name === 'held')?.note
    expect(note(usdt)).toBe('Frozen and pledged amounts are still yours and count as held.')
    expect(note(unused)).toBeUndefined()
  })

  it('shows the principal of pledges separately from what came in and went out', () => {
    const btn: AccountStatement = { ...unused, symbol: 'BTN', principal: { pledged: '100', returned: '40' } }
    const principal = buildStatementParts(text, btn).at(-1)
    expect(principal).toMatchObject({ name: 'principal', sum: null })
    expect(principal?.entries.map(({ sign, amount }) => [sign, amount])).toEqual([
      [null, '100'],
      [null, '40'],
    ])
  })

  it('says in words whether the result is more or less than was paid in', () => {
    const words = (than: 'more' | 'less' | 'same') =>
      buildResultPart(text, '2', { takenOutAndHeld: '1', than, difference: '1' }).entries.map(({ name }) => name)
    expect(words('more')).toEqual(['Taken out + held now', 'Paid in', 'More than paid in'])
    expect(words('less').at(-1)).toBe('Less than paid in')
    expect(words('same').at(-1)).toBe('The same as paid in')
  })
})
