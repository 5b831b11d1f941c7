import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { amount, fundPassword } from '../src/formats.ts'
import { refusals } from '../src/refusals.ts'
import { routes } from '../src/routes.ts'
import { buildApiReference } from './api-reference.ts'
import { describeShape, enumKey } from './shapes.ts'

const page = await buildApiReference()

describe('the API reference', () => {
  it('in docs/api.md matches the table of routes', () => {
    expect(readFileSync(resolve(import.meta.dirname, '../../../docs/api.md'), 'utf8')).toBe(page)
  })

  it.each(Object.values(routes))(
    'lists $path once, with who may call it and what it does',
    ({ method, path, summary }) => {
      expect(page.split(`| \`${method} ${path}\` |`)).toHaveLength(2)
      expect(page.split(`\n${method} ${path}\n`)).toHaveLength(2)
      expect(page).toContain(summary)
    },
  )

  it.each(Object.entries(refusals))('has the refusal %s with its status', (code, status) => {
    expect(page).toContain(`| ${status} | \`${code}\` |`)
  })

  it('says which calls need a session and which the fund password', () => {
    expect(page).toContain('| `GET /plan/current` | anybody |')
    expect(page).toContain('| `POST /account/transfer-lock` | member; fund password |')
    expect(page).toContain('| `POST /transfer/order` | member, exit token too; fund password |')
    expect(page).toContain('| `POST /promotion/order` | member; fund password where needed |')
  })

  it('lists at a call only the refusals that are specific to it', () => {
    const [, call = ''] = /\nPOST \/promotion\/claim\n([\s\S]*?)\n\n?(?:[A-Z`])/.exec(page) ?? []
    expect(call).toContain('or    expert-only, claim-nothing, key-conflict')
    expect(call).not.toContain('session-expired')
  })
})

describe('the description of a schema', () => {
  const names = {
    schemas: new Map<unknown, string>([
      [amount, 'amount'],
      [fundPassword, 'fundPassword'],
    ]),
    enums: new Map([[enumKey(['a', 'b']), 'letters']]),
  }

  it('uses the names of known schemas, and writes a field once if its name equals its type', () => {
    const schema = z.object({ amount, password: z.optional(fundPassword), kind: z.nullable(z.enum(['a', 'b'])) })
    expect(describeShape(schema, names)).toBe('{ amount, password?: fundPassword, kind: letters | null }')
  })

  it('puts a union inside a list in parentheses', () => {
    const one = z.union([z.literal('x'), z.int()])
    expect(describeShape(z.array(one), names)).toBe('("x" | integer)[]')
    expect(describeShape(z.array(z.array(amount)), names)).toBe('amount[][]')
  })

  it('wraps long lines between fields', () => {
    const fields = Array.from({ length: 9 }, (_, place) => [`aFieldWithARatherLongName${place}`, z.string()] as const)
    const lines = describeShape(z.object(Object.fromEntries(fields)), names).split('\n')
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(118)
    expect(
      lines
        .slice(1, -1)
        .join(' ')
        .match(/aField\w+: string/g),
    ).toHaveLength(9)
  })
})
