import { describe, expect, it } from 'vitest'
import { sqlStatements } from './sql-statements.ts'

describe('the statements of a text', () => {
  it('end at a semicolon that stands in no quotes, body or comment', () => {
    const text = `
      -- One; two.
      select ';', "a;b" /* ; */ from t;
      create function f() as $body$ select 'it''s'; $other$;$other$ $body$;`
    expect(sqlStatements(text)).toEqual([
      `select ';', "a;b"  from t`,
      `create function f() as $body$ select 'it''s'; $other$;$other$ $body$`,
    ])
  })

  it('all have an end', () => {
    expect(() => sqlStatements('select 1; select 2')).toThrow('a statement has no end: select 2')
  })
})
