import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stops } from './index.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
const section = page.split('### Every stop, and the command that ends it')[1] ?? ''

/** The rows of the table of stops, without its head. */
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', , end = '', exercised = '']) => ({ name, end, exercised }))

describe('the table of stops in docs/operations.md', () => {
  it('says of each stop whether the simulator exercises it', () => {
    expect(rows.length).toBeGreaterThan(20)
    const exercised = new Set(stops.map(({ name }) => name))
    expect(rows.map(({ name, exercised }) => [name, exercised])).toEqual(
      rows.map(({ name }) => [name, exercised.has(name) ? 'yes' : 'no']),
    )
  })

  it('has every stop of the simulator', () => {
    const known = rows.map(({ name }) => name)
    for (const { name } of stops) expect(known).toContain(name)
  })

  it('has at least twelve stops that two operators end and that the simulator exercises', () => {
    const byTwo = rows.filter(({ end, exercised }) => exercised === 'yes' && /two operators|the same/.test(end))
    expect(byTwo.length).toBeGreaterThanOrEqual(12)
  })
})

describe('a stop of the simulator', () => {
  it('can be chosen by how it comes', () => {
    expect(new Set(stops.map(({ how }) => how)).size).toBe(stops.length)
  })
})
