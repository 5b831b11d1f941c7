import { expect, it } from 'vitest'
import { type KindName, types } from './chart.ts'

const allowedMoves = Object.entries(types).flatMap(([type, { debits, credits }]) =>
  debits.flatMap((from) => credits.map((to) => ({ type, from: from as KindName, to: to as KindName }))),
)

it('only dividend funding that arrives in the vault funds dividends', () => {
  expect(allowedMoves.filter(({ to }) => to === 'dividend:funded')).toEqual([
    { type: 'dividendFunding', from: 'custody:vault', to: 'dividend:funded' },
  ])
  expect(allowedMoves.filter(({ to }) => to === 'dividend:payable')).toEqual([
    { type: 'dividendClose', from: 'dividend:funded', to: 'dividend:payable' },
  ])
})

it('no chain of moves between ledger accounts turns money of members or the pool into dividends', () => {
  const inside = allowedMoves.filter(({ from, to }) => !from.startsWith('custody:') && !to.startsWith('custody:'))
  const reached = new Set<KindName>(['dividend:funded', 'dividend:payable'])
  for (let before = 0; before < reached.size; ) {
    before = reached.size
    for (const { from, to } of inside) if (reached.has(to)) reached.add(from)
  }
  expect(Array.from(reached).toSorted()).toEqual(['dividend:funded', 'dividend:payable'])
})
