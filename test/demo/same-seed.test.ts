import { expect, it } from 'vitest'
import { type Figures, figuresOf } from './figures.ts'
import { makeSmallWorld } from './small-world.ts'

async function makeAndMeasure(): Promise<Figures> {
  const world = await makeSmallWorld()
  try {
    return await figuresOf(world.settings.ownerUrl)
  } finally {
    await world.close()
  }
}

it('the demo has the same figures from the same seed', { timeout: 1_800_000 }, async () => {
  expect(await makeAndMeasure()).toEqual(await makeAndMeasure())
})
