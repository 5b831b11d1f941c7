import { expect, it } from 'vitest'
import { type KindName, types } from './chart.ts'

const moves = Object.entries(types).flatMap(([type, { debits, credits }]) =>
  debits.flatMap((from) => credits.map((to) => ({ type, from: from as KindName, to: to as KindName }))),
)

it('dividends are funded by what the vault took for them, and by nothing else', () => {
  expect(moves.filter(({ to }) => to === 'dividend:funded')).toEqual([
    { type: 'dividendFunding', from: 'custody:vault', to: 'dividend:funded' },
  ])
  expect(moves.filter(({ to }) => to === 'dividend:payable')).toEqual([
    { type: 'dividendClose', from: 'dividend:funded', to: 'dividend:payable' },
  ])
})

it('what is held for members or for the pool reaches dividends by no way that stays inside', () => {
  const inside = moves.filter(({ from, to }) => !from.startsWith('custody:') && !to.startsWith('custody:'))
  const reached = new Set<KindName>(['dividend:funded', 'dividend:payable'])
  for (let before = 0; before < reached.size; ) {
    before = reached.size
    for (const { from, to } of inside) if (reached.has(to)) reached.add(from)
  }
  expect(Array.from(reached).toSorted()).toEqual(['dividend:funded', 'dividend:payable'])
})
