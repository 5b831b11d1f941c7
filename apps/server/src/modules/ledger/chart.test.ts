import { readdirSync, readFileSync } from 'node:fs'
import { logTypes } from '@lode/wire'
import { describe, expect, it } from 'vitest'
import { type KindName, kinds, logTypeCodes, types } from './chart.ts'
import { chartSql } from './chart-sql.ts'

const rules = Object.entries(types)
const names = Object.keys(kinds) as KindName[]
const isCustody = (kind: KindName) => kind.startsWith('custody:')
const kindsMovedBy = (rule: (typeof rules)[number][1]): readonly KindName[] => [...rule.debits, ...rule.credits]
/** The rules below are about what happens. A reversal undoes what never happened; its cause says exactly what. */
const notReversal = ([name]: readonly [string, unknown]) => name !== 'reverse'
const typesThat = (holds: (rule: (typeof rules)[number][1]) => boolean) =>
  rules.filter((entry) => notReversal(entry) && holds(entry[1])).map(([name]) => name)

describe('the chart', () => {
  it('lets dividend funding come only from the chain, by one transaction type', () => {
    expect(typesThat(({ credits }) => (credits as readonly KindName[]).includes('dividend:funded'))).toEqual([
      'dividendFunding',
    ])
    expect(types.dividendFunding.debits.every(isCustody)).toBe(true)
    expect(types.dividendFunding.keys).toBe('chain')
  })

  it('shares out nothing but dividend funding', () => {
    expect(typesThat(({ credits }) => (credits as readonly KindName[]).includes('dividend:payable'))).toEqual([
      'dividendClose',
    ])
    expect(types.dividendClose.debits).toEqual(['dividend:funded'])
  })

  it('lets only the worker move custody, each time for one chain log', () => {
    for (const [name, rule] of rules.filter(notReversal)) {
      if (!kindsMovedBy(rule).some(isCustody)) continue
      expect({ name, roles: rule.roles, keys: rule.keys }).toEqual({ name, roles: ['worker'], keys: 'chain' })
    }
  })

  it('uses chain keys only for types that move custody', () => {
    for (const [name, rule] of rules)
      if (rule.keys === 'chain') expect([name, kindsMovedBy(rule).some(isCustody)]).toEqual([name, true])
  })

  it('lets the signer post nothing', () => {
    expect(typesThat(({ roles }) => (roles as readonly string[]).includes('signer'))).toEqual([])
  })

  it('debits the airdrop and promotion reserves only for airdrops', () => {
    for (const reserve of ['reserve:airdrop', 'reserve:promotion'] as const) {
      const takers = typesThat(({ debits }) => (debits as readonly KindName[]).includes(reserve))
      expect(takers.length).toBeGreaterThan(0)
      expect(takers.every((name) => name.startsWith('airdropFor'))).toBe(true)
    }
  })

  it('lets only custody and the loss account be negative', () => {
    expect(names.filter((kind) => !kinds[kind].floored)).toEqual(['custody:vault', 'custody:cold', 'pool:loss'])
  })

  it('fills the loss account only from the chain or from operations, never from mining, reserves, dividends or partners', () => {
    const sources = rules
      .filter(notReversal)
      .flatMap(([, { debits, credits }]) => ((credits as readonly KindName[]).includes('pool:loss') ? debits : []))
    expect(new Set(sources)).toEqual(new Set(['custody:vault', 'pool:operations']))
  })

  it('lets a reversal give nothing to a member, and take nothing that is frozen, pledged or unclaimed', () => {
    const ofMember = (list: readonly KindName[]) => list.filter((kind) => kinds[kind].holder === 'member')
    expect(ofMember(types.reverse.credits)).toEqual([])
    expect(ofMember(types.reverse.debits)).toEqual(['available'])
    expect(types.reverse).toMatchObject({ roles: ['worker'], keys: 'correction' })
  })

  it('credits other members only in promotions', () => {
    expect(typesThat(({ creditsOthers }) => creditsOthers)).toEqual(['promotionByBalance', 'promotionPaid'])
  })

  it('lets no command of a member lock all rows of a spread account: neither by a debit nor by a credit', () => {
    const spread = names.filter((kind) => kinds[kind].stripes > 1 && kinds[kind].floored)
    const drained = spread.filter((kind) => !kinds[kind].dividesCredits)
    const divided = spread.filter((kind) => kinds[kind].dividesCredits)
    for (const [name, rule] of rules) {
      if (!(rule.roles as readonly string[]).includes('api')) continue
      expect([name, rule.debits.filter((kind) => drained.includes(kind))]).toEqual([name, []])
      expect([name, rule.credits.filter((kind) => divided.includes(kind))]).toEqual([name, []])
    }
  })

  it('gives a phase and log types to exactly those types that a member sees in the log', () => {
    for (const [name, rule] of rules) {
      const logged = kindsMovedBy(rule).some((kind) => kinds[kind].log !== null)
      expect([name, rule.phase !== null, rule.logs.length > 0]).toEqual([name, logged, logged])
    }
  })

  it('lets an undo type move only the opposite of what it undoes', () => {
    for (const [, rule] of rules) {
      if (rule.undoes === null) continue
      const done = types[rule.undoes]
      expect({ debits: rule.debits, credits: rule.credits }).toEqual({ debits: done.credits, credits: done.debits })
    }
  })
})

describe('codes', () => {
  it('are unique', () => {
    for (const codes of [Object.values(kinds), Object.values(types)].map((list) =>
      list.map(({ code }) => code as number),
    ))
      expect(new Set(codes).size).toBe(codes.length)
  })

  it('fit an account number', () => {
    for (const kind of names) {
      expect(kinds[kind].code).toBeLessThan(64)
      expect(kinds[kind].stripes).toBeLessThanOrEqual(64)
    }
  })

  it('exist for every log type on the wire', () => {
    expect(Object.keys(logTypeCodes).toSorted()).toEqual([...logTypes].toSorted())
  })
})

it('the newest chart migration equals the chart in the code', () => {
  const folder = new URL('../../migrations/', import.meta.url)
  const newest = readdirSync(folder)
    .filter((file) => /_chart\.sql$/.test(file))
    .toSorted()
    .at(-1)
  expect(readFileSync(new URL(newest ?? '', folder), 'utf8')).toBe(chartSql())
})
