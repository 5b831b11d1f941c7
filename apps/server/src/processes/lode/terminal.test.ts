import { PassThrough } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { confirm } from './terminal.ts'

afterEach(() => vi.restoreAllMocks())

it('a question goes to standard error, so that standard output has only the answer', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin)
  const shown: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => shown.push(String(text)) > 0)
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  setImmediate(() => input.write('yes\n'))
  await confirm('Sign this?', false)
  expect(shown.join('')).toContain('Sign this? Type yes:')
  expect(printed).not.toHaveBeenCalled()
})

it('an answer that is not yes signs nothing, and is repeated only if it is y', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin)
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  for (const [typed, failure] of [
    ['y', 'Nothing was signed: you typed y, not yes.'],
    ['my passphrase', 'Nothing was signed.'],
  ] as const) {
    setImmediate(() => input.write(`${typed}\n`))
    await expect(confirm('Sign this?', false)).rejects.toThrow(failure)
  }
})
