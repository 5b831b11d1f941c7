import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const ourServer = resolve(import.meta.dirname, '../../apps/server')

let server: string
beforeEach(() => {
  server = mkdtempSync(join(tmpdir(), 'lode-server-'))
  mkdirSync(join(server, 'src/processes'), { recursive: true })
  symlinkSync(join(ourServer, 'node_modules'), join(server, 'node_modules'))
  for (const name of ['api', 'worker', 'signer', 'lode']) write(`processes/${name}.ts`, `console.log('${name}')`)
})
afterEach(() => rmSync(server, { recursive: true }))

const write = (file: string, source: string): void => writeFileSync(join(server, 'src', file), source)

/** Starts the process from a program that has not compared the sources before. */
async function run(name: 'api' | 'lode'): Promise<{ file: string; printed: string }> {
  vi.resetModules()
  const { findBundledProcess } = await import('./server-bundle.ts')
  const { file, environment } = findBundledProcess(name, server)
  const printed = execFileSync(process.execPath, [file], { env: environment, encoding: 'utf8' })
  return { file, printed: printed.trim() }
}

// Each makes bundles and starts processes, which takes a while on a busy machine.
describe('the bundle of the server', { timeout: 120_000 }, () => {
  it('is made anew after an edit of any source, and only then', async () => {
    write('answer.ts', 'export const answer: number = 41')
    write('processes/lode.ts', "import { answer } from '../answer.ts'\nconsole.log(answer)")
    const first = await run('lode')
    expect(first.printed).toBe('41')
    expect(await run('lode')).toEqual(first)
    write('answer.ts', 'export const answer: number = 42')
    expect((await run('lode')).printed).toBe('42')
    write('answer.ts', 'export const answer: number = 41')
    expect(await run('lode')).toEqual(first)
  })

  it('lets each module find its files beside its source, and runs only the process itself as the main program', async () => {
    write('place.ts', 'export const place = import.meta.url\nif (import.meta.main) console.log("not this one")')
    write('processes/api.ts', "import { place } from '../place.ts'\nif (import.meta.main) console.log(place)")
    expect((await run('api')).printed).toBe(pathToFileURL(join(server, 'src/place.ts')).href)
  })
})
