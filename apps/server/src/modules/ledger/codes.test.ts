import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { replaceCodeNames } from '../../platform/db/named-codes.ts'
import { codeNamed, codeOf } from './codes.ts'

const SOURCE = fileURLToPath(new URL('../../', import.meta.url))

/** Finds places where SQL compares a type, kind, asset or account with a literal number. Comments are ignored. */
function findLiteralCodes(text: string): string[] {
  const sql = text.replaceAll(/^\s*(--|\/\/|\/?\*).*$/gm, '')
  const patterns = [
    /\btypes?\s*(=|<>|!=)\s*\d+/g,
    /\btypes?\s+(not\s+)?in\s*\(\s*\d+/g,
    /\btypes?\s*(=|<>)\s*(any|all)\s*\(\s*(array\[|'\{)?\d+/g,
    /\btypes?\s*=\s*case\b[^;]*?\b(then|else)\s+\d+/g,
    /\bcase\s+\w*type\s+when\s+(\d+|'\w+'\s+then\s+\d+)/g,
    /\d+::smallint as type\b/g,
    />>\s*8\)?\s*&\s*63\s*(=|<>|in\s*\()\s*\d+/g,
    /\baccount (=|in) \(?\d+/g,
    /\bledger_account where id\s*(=|in\s*\()\s*\d+/g,
    />>\s*8\s*(=|in\s*\()\s*\d+/g,
    /\basset\s*(=|<>|in\s*\()\s*\d+/g,
    /\bairdrop_in_books\([^)]*,\s*\d+\s*,/g,
  ]
  return patterns.flatMap((pattern) => sql.match(pattern) ?? [])
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.(sql|ts)$/.test(path) && !/_chart\.sql$|ledger\/codes\.test\.ts$/.test(path),
)

describe('codes in SQL', () => {
  it('are written by name, in SQL files and in queries', () => {
    const found = files.flatMap((path) =>
      findLiteralCodes(readFileSync(`${SOURCE}${path}`, 'utf8')).map((place) => `${path}: ${place}`),
    )
    expect(found).toEqual([])
    expect(files.length).toBeGreaterThan(400)
  })

  it.each([
    'where entry.type = 12',
    'when (new.type in (36, 37))',
    'posted.type = any (array[32, 40])',
    'posted.type = case when for_good then 40 else 32 end',
    'case of_type when 1 then',
    `case type when 'promotionReward' then 4 end`,
    'select 38::smallint as type',
    'where (id >> 8) & 63 = 5',
    'booked.account = 5312',
    'from lode.ledger_account where id = 4224',
    'posting.account >> 8 = 28',
    'where asset = 1',
    `lode.airdrop_in_books(chosen, 'appointed:expert', 38, given)`,
  ])('are found where they are written as numbers: %s', (statement) => {
    expect(findLiteralCodes(`select x\n${statement}\n`)).not.toEqual([])
  })

  it('are replaced by numbers before PostgreSQL sees them', () => {
    const text = `where type in (:type.burn, :type.deposit) and id = :account.reserve:airdrop.BTN and a::text = ':x'`
    expect(replaceCodeNames(text, codeNamed)).toBe(`where type in (7, 1) and id = 4224 and a::text = ':x'`)
    expect(codeOf('account.dividend:funded.BTC')).toBe(5312)
  })

  it('with an unknown name are refused', () => {
    expect(() => replaceCodeNames('where type = :type.bunr', codeNamed)).toThrow('no code is named type.bunr')
  })
})
