import { describe, expect, it } from 'vitest'
import { commands } from '../commands/index.ts'
import { stops } from '../stops/index.ts'
import { makeBrokenBuild } from './broken-build.ts'
import { brokenBuilds } from './broken-builds.ts'

describe('a broken build', () => {
  it.each(brokenBuilds)(
    'can be made from the current source, and its commands or its stop exist: $name',
    async ({ edits, ...run }) => {
      const { remove } = await makeBrokenBuild(edits)
      await remove()
      if ('stop' in run) expect(stops.map(({ how }) => how)).toContain(run.stop)
      else expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining([...run.commands]))
    },
  )

  it('is refused if the text to replace is missing', async () => {
    const edit = { file: 'modules/custody/interpret-logs.ts', find: 'what was never written', replace: '' }
    await expect(makeBrokenBuild([edit])).rejects.toThrow('0 places')
  })
})
