import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeNamed } from '../../modules/ledger/index.ts'
import { findCreatedFunctions, MIGRATION_FUNCTIONS, readFunctionFiles, readFunctionSources } from './function-files.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)

describe('migrations', () => {
  it('create only the functions that tables need', () => {
    const created = readdirSync(MIGRATIONS).flatMap((file) =>
      findCreatedFunctions(readFileSync(new URL(file, MIGRATIONS), 'utf8')),
    )
    expect(Array.from(new Set(created)).toSorted()).toEqual(MIGRATION_FUNCTIONS.toSorted())
  })

  it.each(['create function lode.more(', 'CREATE OR REPLACE FUNCTION lode.more (', 'create\n  function more(x int)'])(
    'create a function with %j',
    (statement) => {
      expect(findCreatedFunctions(`select 1;\n${statement}`)).toEqual(['more'])
    },
  )
})

describe('function files', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lode-functions-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const write = async (path: string, name: string) => {
    await mkdir(join(folder, path, '..'), { recursive: true })
    const text = `create or replace function lode.${name}() returns int language sql as $$ select 1 $$;`
    await writeFile(join(folder, path), text)
  }

  it('are those in the functions folder of a module or of a part of the platform', async () => {
    await write('modules/team/functions/one.sql', 'one')
    await write('platform/db/functions/two.sql', 'two')
    await write('modules/team/three.sql', 'three')
    expect((await readFunctionSources(folder)).map(({ path }) => path)).toEqual([
      'modules/team/functions/one.sql',
      'platform/db/functions/two.sql',
    ])
  })

  it('each define one function, with the name of the file', async () => {
    await write('modules/plan/functions/four.sql', 'five')
    await expect(readFunctionFiles(codeNamed, folder)).rejects.toThrow(
      'modules/plan/functions/four.sql: it must define lode.four and no other function',
    )
    await write('modules/plan/functions/four.sql', 'four')
    await write('modules/team/functions/four.sql', 'four')
    await expect(readFunctionSources(folder)).rejects.toThrow('two files define lode.four')
  })
})
