import { describe, expect, it } from 'vitest'
import { nextPull, type Pull, type PullEvent } from './pull.ts'

const after = (...events: PullEvent[]): Pull => events.reduce<Pull>(nextPull, { at: 'rest' })
const down = { type: 'down', y: 100, atTop: true } as const
const to = (y: number) => ({ type: 'move', y }) as const
const up = { type: 'up' } as const
const done = { type: 'done' } as const

describe('pulling a list down', () => {
  it('far enough, and letting go, refreshes it until that is done', () => {
    expect(after(down, to(240))).toMatchObject({ at: 'pulling', far: true })
    expect(after(down, to(240), up)).toEqual({ at: 'refreshing' })
    expect(after(down, to(240), up, done)).toEqual({ at: 'rest' })
  })

  it('not far enough does nothing', () => {
    expect(after(down, to(180))).toMatchObject({ at: 'pulling', far: false, distance: 40 })
    expect(after(down, to(180), up)).toEqual({ at: 'rest' })
  })

  it('far and back again does nothing', () => {
    expect(after(down, to(300), to(120), up)).toEqual({ at: 'rest' })
  })

  it('that is scrolled already, or goes up first, is scrolling', () => {
    expect(after({ ...down, atTop: false }, to(300), up)).toEqual({ at: 'rest' })
    expect(after(down, to(80), to(300), up)).toEqual({ at: 'rest' })
  })

  it('comes to an end, however long the arm', () => {
    expect(after(down, to(5_000))).toMatchObject({ distance: 96 })
  })

  it('while it is refreshing does not begin again', () => {
    expect(after(down, to(300), up, down, to(300), up)).toEqual({ at: 'refreshing' })
  })
})
