import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from './program.ts'

const root = resolve(import.meta.dirname, '../../../../..')
const pages = new Map(
  globSync(['README.md', 'docs/**/*.md'], { cwd: root }).map((path) => [
    path,
    readFileSync(resolve(root, path), 'utf8').replaceAll(/^ *```(?:json|ts)\n[\s\S]*?^ *```/gm, ''),
  ]),
)

const listCommands = (command: Command, before = ''): string[] =>
  command.commands.flatMap((inner) => {
    const path = `${before}${inner.name()}`
    return inner.commands.length > 0 ? listCommands(inner, `${path} `) : [path]
  })

const commands = listCommands(createProgram())
const groups = new Set(commands.map((path) => path.split(' ')[0]))

/** The commands that a page mentions in code after the word `lode`, up to two words each. */
const findDocumentedCommands = (page: string): string[] =>
  Array.from(page.matchAll(/(?<=[`\s]lode )([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g)).flatMap(([, group = '', name]) => {
    if (!groups.has(group)) return []
    return commands.includes(group) ? [group] : name === undefined ? [] : [`${group} ${name}`]
  })

describe('the command line', () => {
  it.each(commands)('“%s” is documented in docs/operations.md or docs/operators.md', (command) => {
    const lines = ['docs/operations.md', 'docs/operators.md'].flatMap((path) => pages.get(path)?.split('\n') ?? [])
    const inCode = lines.map((line) => (line.match(/`[^`]+`/g) ?? []).join(' ').split(/[^a-z-]+/))
    expect(inCode.some((words) => command.split(' ').every((word) => words.includes(word)))).toBe(true)
  })

  it.each(Array.from(pages.keys()))('has every command that %s mentions', (path) => {
    expect(findDocumentedCommands(pages.get(path) ?? '').filter((command) => !commands.includes(command))).toEqual([])
  })

  it('gives the options of `restored acknowledge` to that command, and requires none of `restored`', async () => {
    const program = createProgram()
    const acknowledge = program.commands
      .find((command) => command.name() === 'restored')
      ?.commands.find((command) => command.name() === 'acknowledge')
    const given: unknown[] = []
    acknowledge?.action((note: string, options: object) => void given.push(note, options))
    await program.parseAsync(['restored', 'acknowledge', 'the disk broke', '--key', 'ada', '--yes'], { from: 'user' })
    expect(given).toEqual(['the disk broke', { key: 'ada', yes: true }])
  })

  it('is mentioned in the docs', () => {
    expect(Array.from(pages.values()).flatMap(findDocumentedCommands).length).toBeGreaterThan(commands.length)
  })
})
