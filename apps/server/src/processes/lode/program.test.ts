import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { describeFailure } from './describe-failure.ts'
import { createProgram } from './program.ts'
import { useJson } from './terminal.ts'

const lode = fileURLToPath(new URL('../lode.ts', import.meta.url))

afterEach(() => {
  vi.unstubAllEnvs()
})

/** The commands that do something: those without commands inside. */
const listLeaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(listLeaves)

const printHelp = (...words: string[]): Promise<string> => printOutput('help', ...words)

async function printOutput(...words: string[]): Promise<string> {
  let printed = ''
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text
    return true
  })
  try {
    await createProgram().parseAsync(['node', 'lode', ...words])
    return printed
  } finally {
    stdout.mockRestore()
  }
}

describe('the command line', () => {
  it('has --json for every command', () => {
    for (const command of listLeaves(createProgram()))
      expect(
        command.options.map(({ long }) => long),
        command.name(),
      ).toContain('--json')
  })

  it('shows the help of a command, a group and everything', async () => {
    expect(await printHelp('transfer')).toMatch(/Usage: lode transfer .*approve/s)
    expect(await printHelp('transfer', 'list')).toMatch(/Usage: lode transfer list .*--older-than/s)
    expect(await printHelp()).toMatch(/Usage: lode .*status/s)
    await expect(printHelp('transfers')).rejects.toThrow('There is no command transfers.')
  })

  it('ends quietly if the reader of its output has ended', () => {
    const piped = `"${process.execPath}" "${lode}" help | true; exit "\${PIPESTATUS[0]}"`
    const { status, stderr } = spawnSync('bash', ['-c', piped], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

it('prints JSON also for a command that needs no database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lode-program-'))
  const file = join(folder, 'ada.json')
  writeFileSync(join(folder, 'passphrase'), 'a long passphrase of ada')
  vi.stubEnv('LODE_PASSPHRASE_FILE', join(folder, 'passphrase'))
  try {
    const printed = await printOutput('operator', 'key', file, '--name', 'ada', '--json')
    expect(JSON.parse(printed)).toEqual({ name: 'ada', file, publicKey: expect.stringMatching(/^[0-9a-f]{64}$/) })
  } finally {
    rmSync(folder, { recursive: true })
    useJson(false)
  }
})

describe('a failure', () => {
  const denied = Object.assign(new pg.DatabaseError('permission denied for table log_line', 1, 'error'), {
    code: '42501',
  })
  const unreachable = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })

  it.each([
    ['a missing right', denied, 'The role in DATABASE_URL may not do this.'],
    ['a database that is away', unreachable, 'The database does not answer: connect ECONNREFUSED'],
    ['an error of ours', new Error('the counts differ'), 'Something unexpected happened: the counts differ.'],
  ])('is told without a stack trace: %s', (_what, error, words) => {
    const text = describeFailure(error)
    expect(text).toContain(words)
    expect(text).not.toMatch(/\n\s+at /)
  })

  it('has its stack trace if LODE_DEBUG is 1', () => {
    vi.stubEnv('LODE_DEBUG', '1')
    expect(describeFailure(new Error('the counts differ'))).toMatch(/\n\s+at /)
  })
})
