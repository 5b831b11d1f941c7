import { describe, expect, it } from 'vitest'
import { commands } from '../commands/index.ts'
import { makeBrokenBuild } from './broken-build.ts'
import { mutants } from './mutants.ts'

describe('a build that is wrong on purpose', () => {
  it.each(mutants)('can still be made of the present source, and run: $name', async ({ edits, commands: named }) => {
    const { remove } = await makeBrokenBuild(edits)
    await remove()
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining([...named]))
  })

  it('is not made where the source has moved on', async () => {
    const edit = { file: 'modules/custody/rules.ts', find: 'what was never written', replace: '' }
    await expect(makeBrokenBuild([edit])).rejects.toThrow('0 places')
  })
})
