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

const listAll = (command: Command): Command[] => [command, ...command.commands.flatMap(listAll)]

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

  it('requires no option of a command for the commands below it, which do not have that option', () => {
    const required = listAll(createProgram())
      .filter((command) => command.commands.length > 0)
      .flatMap(({ options }) => options.filter(({ mandatory }) => mandatory).map(({ long }) => long))
    expect(required).toEqual([])
  })

  it('is mentioned in the docs', () => {
    expect(Array.from(pages.values()).flatMap(findDocumentedCommands).length).toBeGreaterThan(commands.length)
  })
})
