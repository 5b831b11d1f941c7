import { describe, expect, it } from 'vitest'
import { cast, type RoleName } from './cast.ts'
import { fullSize, type Life, livesOf } from './lives.ts'

describe('the lives of a demo', () => {
  const lives = livesOf(fullSize)
  const lifeOf = (role: RoleName): Life => {
    const found = lives.find((life) => life.role === role)
    if (!found) throw new Error(`nobody is ${role}`)
    return found
  }

  it('are as many as asked for, the same every time, and others from another seed', () => {
    expect(lives).toHaveLength(fullSize.members)
    expect(livesOf(fullSize)).toEqual(lives)
    expect(livesOf({ ...fullSize, seed: 2 })).not.toEqual(lives)
  })

  it('begin with an invitation of somebody who is there, and nothing is done before that but to pay in', () => {
    for (const { index, sponsor, joins, deeds } of lives.slice(1)) {
      expect(sponsor).not.toBeNull()
      expect(sponsor).toBeLessThan(index)
      expect(lives[sponsor ?? 0]?.joins).toBeLessThanOrEqual(joins)
      expect(deeds.filter(({ day, kind }) => day < joins && kind !== 'deposit')).toEqual([])
    }
  })

  it('have somebody of the cast at each place of the wallet but the second', () => {
    expect(cast.map(({ place }) => place).toSorted()).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('fill five layers below those who apply before they do, and below the one who is ready before the end', () => {
    const dayOf = (role: RoleName) => lifeOf(role).deeds.find(({ kind }) => kind === 'apply')?.day ?? fullSize.days
    for (const role of ['first', 'applicant', 'ready'] as const)
      expect([role, layersBelow(lifeOf(role).index, dayOf(role))]).toEqual([role, [3, 9, 27, 81, 243]])
  })

  /**
   * Places members by the rule (first open place below the inviter, layer by layer) and counts the five layers below
   * `top` on that day.
   */
  function layersBelow(top: number, day: number): number[] {
    const below: number[][] = lives.map(() => [])
    for (const { index, sponsor } of lives.filter(({ joins }) => joins <= day)) {
      if (sponsor === null) continue
      const queue = [sponsor]
      for (const place of queue) {
        const here = below[place] ?? []
        if (here.length < 3) {
          here.push(index)
          break
        }
        queue.push(...here)
      }
    }
    const layers: number[] = []
    for (let layer = below[top] ?? []; layers.length < 5; layer = layer.flatMap((one) => below[one] ?? []))
      layers.push(layer.length)
    return layers
  }
})
