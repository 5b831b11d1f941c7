import { describe, expect, it } from 'vitest'
import { nextDrawnLines, type Range } from './next-drawn-lines.ts'

const range = (first: number, end: number): Range => ({ first, end })

/** The ranges of all frames until the wanted lines are drawn. */
function frames(drawn: Range, wanted: Range, { onScreen = wanted.first, step = 3 } = {}): string[] {
  const shown: string[] = []
  for (let now = drawn; now.first !== wanted.first || now.end !== wanted.end; ) {
    now = nextDrawnLines(now, wanted, { onScreen, step })
    shown.push(`${now.first}-${now.end}`)
    if (shown.length > 50) throw new Error('never drawn')
  }
  return shown
}

describe('the lines of a long list', () => {
  it('are drawn a few at a time as the member scrolls down or up', () => {
    expect(frames(range(0, 10), range(5, 15))).toEqual(['5-13', '5-15'])
    expect(frames(range(5, 15), range(0, 10))).toEqual(['2-10', '0-10'])
  })

  it('start on the screen after a jump, then below it, then above', () => {
    expect(frames(range(0, 10), range(100, 110), { onScreen: 102 })).toEqual([
      '102-105',
      '102-108',
      '101-110',
      '100-110',
    ])
  })

  it('end at the end of the list', () => {
    expect(frames(range(0, 10), range(95, 100), { onScreen: 99 })).toEqual(['99-100', '96-100', '95-100'])
  })

  it('are drawn at once by a fast phone', () => {
    expect(frames(range(0, 10), range(100, 117), { step: 20 })).toEqual(['100-117'])
  })

  it('are removed without delay', () => {
    expect(frames(range(0, 100), range(40, 57))).toEqual(['40-57'])
  })
})
