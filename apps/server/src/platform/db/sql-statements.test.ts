import { describe, expect, it } from 'vitest'
import { splitSqlStatements } from './sql-statements.ts'

describe('the statements of a text', () => {
  it('end at a semicolon outside quotes, bodies and comments', () => {
    const text = `
      -- One; two.
      select ';', "a;b" /* ; */ from t;
      create function f() as $body$ select 'it''s'; $other$;$other$ $body$;`
    expect(splitSqlStatements(text)).toEqual([
      `select ';', "a;b"  from t`,
      `create function f() as $body$ select 'it''s'; $other$;$other$ $body$`,
    ])
  })

  it('must all end with a semicolon', () => {
    expect(() => splitSqlStatements('select 1; select 2')).toThrow(
      'a statement does not end with a semicolon: select 2',
    )
  })
})
