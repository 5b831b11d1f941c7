import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'

/** The node types of ES5 that prepaint.js may use. */
const ES5 = new Set([
  'ArrayExpression',
  'AssignmentExpression',
  'BinaryExpression',
  'BlockStatement',
  'CallExpression',
  'CatchClause',
  'ConditionalExpression',
  'EmptyStatement',
  'ExpressionStatement',
  'FunctionDeclaration',
  'FunctionExpression',
  'Identifier',
  'IfStatement',
  'Literal',
  'LogicalExpression',
  'MemberExpression',
  'ObjectExpression',
  'Program',
  'Property',
  'ReturnStatement',
  'TryStatement',
  'UnaryExpression',
  'VariableDeclaration',
  'VariableDeclarator',
])

type Node = { type: string; [key: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Everything in a script that a browser of 2011 could not parse. */
function newerThanEs5(source: string): string[] {
  const found: string[] = []
  const visit = (node: Node): void => {
    if (!ES5.has(node.type)) found.push(node.type)
    if (node.type === 'VariableDeclaration' && node.kind !== 'var') found.push(String(node.kind))
    if (node.type === 'CatchClause' && !node.param) found.push('catch without a name')
    if (node.type === 'LogicalExpression' && node.operator === '??') found.push('??')
    if (node.type === 'Property' && (node.shorthand || node.computed || node.method)) found.push('a newer property')
    if (node.optional === true) found.push('?.')
    if (node.async === true || node.generator === true) found.push('async or generator')
    for (const value of Object.values(node).flat()) if (isNode(value)) visit(value)
  }
  visit(parseAst(source) as unknown as Node)
  return found
}

describe('prepaint.js', () => {
  it('is written in ES5, so that a browser too old for the app can show a message', () => {
    expect(newerThanEs5(readFileSync(join(import.meta.dirname, '../../public/prepaint.js'), 'utf8'))).toEqual([])
  })

  it.each([
    ['const x = 1', 'const'],
    ['var x = () => 1', 'ArrowFunctionExpression'],
    ['var x = y?.z', '?.'],
    ['var x = y ?? z', '??'],
    ['var x = { y }', 'a newer property'],
    ['try { x() } catch { y() }', 'catch without a name'],
    ['var x = `y`', 'TemplateLiteral'],
  ])('must not contain %s', (source, reason) => {
    expect(newerThanEs5(source)).toContain(reason)
  })
})
