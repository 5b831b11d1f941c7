import { describe, expect, it } from 'vitest'
import { nextPull, type Pull, type PullEvent } from './pull-gesture.ts'

const after = (...events: PullEvent[]): Pull => events.reduce<Pull>(nextPull, { at: 'rest' })
const down = { type: 'down', y: 100, atTop: true } as const
const to = (y: number) => ({ type: 'move', y }) as const
const up = { type: 'up' } as const
const done = { type: 'refreshed' } as const

describe('pulling a list down', () => {
  it('far enough and letting go refreshes it', () => {
    expect(after(down, to(240))).toMatchObject({ at: 'pulling', isFarEnough: true })
    expect(after(down, to(240), up)).toEqual({ at: 'refreshing' })
    expect(after(down, to(240), up, done)).toEqual({ at: 'rest' })
  })

  it('not far enough does nothing', () => {
    expect(after(down, to(180))).toMatchObject({ at: 'pulling', isFarEnough: false, distance: 40 })
    expect(after(down, to(180), up)).toEqual({ at: 'rest' })
  })

  it('far and back again does nothing', () => {
    expect(after(down, to(300), to(120), up)).toEqual({ at: 'rest' })
  })

  it('that is already scrolled, or moves up first, only scrolls', () => {
    expect(after({ ...down, atTop: false }, to(300), up)).toEqual({ at: 'rest' })
    expect(after(down, to(80), to(300), up)).toEqual({ at: 'rest' })
  })

  it('is limited to a maximum distance', () => {
    expect(after(down, to(5_000))).toMatchObject({ distance: 96 })
  })

  it('does not start again while it is refreshing', () => {
    expect(after(down, to(300), up, down, to(300), up)).toEqual({ at: 'refreshing' })
  })
})
