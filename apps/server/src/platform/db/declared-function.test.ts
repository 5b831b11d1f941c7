import { describe, expect, it } from 'vitest'
import { readDeclarations } from './declared-function.ts'

const FILE = `
set local role lode_orders;

-- What it does.
create or replace function lode.pay(of_member bigint, at timestamptz default lode.now(), of_days int[] default null)
  returns table (id uuid, amount int)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
-- Why.
set enable_seqscan = off
as $pay$
begin -- a comment; it stays
end
$pay$;

revoke execute on function lode.pay from public;
grant execute on function lode.pay to lode_api, lode_worker;

set local role lode_ledger;
create constraint trigger paid after insert on lode.entry
  deferrable initially deferred
  for each row when (new.size = any (array[1, 2])) execute function lode.pay();
alter table lode.entry enable always trigger paid;
`

describe('a function file', () => {
  it('declares everything about its function and its triggers', () => {
    expect(readDeclarations(FILE)).toEqual({
      functions: [
        {
          name: 'pay',
          arguments: 'of_member bigint, at timestamp with time zone default lode.now(), of_days integer[] default null',
          returns: 'table(id uuid, amount integer)',
          language: 'plpgsql',
          volatility: 'stable',
          isStrict: false,
          isParallelSafe: false,
          isSecurityDefiner: true,
          settings: ['search_path=pg_catalog, pg_temp', 'enable_seqscan=off'],
          body: '\nbegin -- a comment; it stays\nend\n',
          owner: 'lode_orders',
          executors: ['lode_api', 'lode_worker'],
        },
      ],
      triggers: [
        {
          name: 'paid',
          table: 'lode.entry',
          definition:
            'create constraint trigger paid after insert on lode.entry deferrable initially deferred ' +
            'for each row when new.size = any array[1, 2] execute function lode.pay',
          isAlways: true,
        },
      ],
    })
  })

  it.each([
    ['another statement', 'grant select on lode.member to lode_api;', 'cannot hold this statement'],
    [
      'a privilege of another function',
      'grant execute on function lode.other to lode_api;',
      'lode.other is not declared',
    ],
    ['a trigger of another file', 'alter table lode.a enable always trigger b;', 'the trigger b of lode.a'],
    [
      'an attribute that is not compared',
      'create function lode.a() returns int language sql leakproof as $$ select 1 $$;',
      'unsupported attributes: language sql leakproof',
    ],
    ['a body without $…$', 'create function lode.a() returns int language sql return 1;', 'must be between $…$'],
  ])('cannot contain %s', (_, statement, message) => {
    expect(() => readDeclarations(statement)).toThrow(message)
  })

  it('has the owner of the schema and may be executed by every role, unless it declares otherwise', () => {
    const [declared] = readDeclarations(
      'create function lode.a() returns int language sql as $$ select 1 $$;',
    ).functions
    expect(declared).toMatchObject({ owner: null, executors: ['public'] })
  })
})
