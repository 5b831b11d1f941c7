import { describe, expect, it } from 'vitest'
import { cast, type RoleName } from './cast.ts'
import { drawMemberScripts, fullSize, type MemberScript } from './member-scripts.ts'

describe('the member scripts of the demo', () => {
  const lives = drawMemberScripts(fullSize)
  const lifeOf = (role: RoleName): MemberScript => {
    const found = lives.find((life) => life.role === role)
    if (!found) throw new Error(`nobody is ${role}`)
    return found
  }

  it('match the requested number, are the same for the same seed, and differ for another seed', () => {
    expect(lives).toHaveLength(fullSize.members)
    expect(drawMemberScripts(fullSize)).toEqual(lives)
    expect(drawMemberScripts({ ...fullSize, seed: 2 })).not.toEqual(lives)
  })

  it('start with an invitation of an earlier member, and only a deposit can come before the registration', () => {
    for (const { index, sponsor, joins, actions } of lives.slice(1)) {
      expect(sponsor).not.toBeNull()
      expect(sponsor).toBeLessThan(index)
      expect(lives[sponsor ?? 0]?.joins).toBeLessThanOrEqual(joins)
      expect(actions.filter(({ day, kind }) => day < joins && kind !== 'deposit')).toEqual([])
    }
  })

  it('use every account of the development wallet except the second', () => {
    expect(cast.map(({ place }) => place).toSorted()).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('fill five layers below each applicant before the application, and below the ready member before the end', () => {
    const dayOf = (role: RoleName) => lifeOf(role).actions.find(({ kind }) => kind === 'apply')?.day ?? fullSize.days
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
