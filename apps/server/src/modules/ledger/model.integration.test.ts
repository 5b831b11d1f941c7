import fc from 'fast-check'
import { sql } from 'kysely'
import { getAddress, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KindName, kinds, type TypeName, types } from './chart.ts'
import { post } from './post.ts'
import { Model, type ModelLine, ModelRefusal } from './testing/model.ts'
import { arbitraryDraws, type BatchDraw, buildBatch } from './testing/random-batches.ts'
import { openTestLedger, type TestLedger } from './testing/test-ledger.ts'
import type { Transaction } from './transaction.ts'

/** The errors of lode.post, and the unique index error for a line that already exists. */
const REFUSAL = /^ledger: |log_line_\d+_member_asset_type_operation_key/
const RUNS = Number(process.env.LEDGER_RUNS ?? 10)

let ledger: TestLedger
beforeAll(async () => {
  ledger = await openTestLedger()
  for (const table of ['ledger_transaction', 'posting', 'log_line', 'log_closing'])
    await sql`alter table ${sql.id('lode', table)} disable trigger user`.execute(ledger.owner)
})
afterAll(() => ledger.close())

/** Counts over all runs, so that the test fails if the generator stops trying something. */
const posted = new Map<TypeName, number>()
const outcomes = new Map<string, number>()
const count = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1)

async function replaySequence(sequence: readonly BatchDraw[]) {
  await emptyLedger()
  const members = await ledger.members(3)
  const { rows } = await sql<{ id: bigint; account: Buffer }>`
    select id, account from lode.member where id = any(${members.map(String)})`.execute(ledger.owner)
  const registered = new Map(rows.map(({ id, account }) => [id, toHex(account)] as const))
  const stranger = '0x00000000000000000000000000000000000000ff'
  const addresses = [...registered.values(), stranger].map((address) => getAddress(address))
  const model = new Model(registered)

  for (const draw of sequence) {
    const batch = buildBatch(draw, { members, addresses, model })
    const expected = expectedOutcome(model, draw, batch)
    const db = draw.role === 'api' ? ledger.api : ledger.worker
    const answered = await post(db, batch, { together: draw.together }).then(
      (answers) => answers.map(({ outcome }) => outcome),
      (error: unknown) => {
        if (error instanceof Error && REFUSAL.test(error.message)) return 'refused' as const
        throw error
      },
    )
    expect(answered).toEqual(expected)
    for (const outcome of expected === 'refused' ? [expected] : expected) count(outcomes, outcome)
    if (expected !== 'refused')
      expected.forEach((outcome, index) => {
        const transaction = batch[index]
        if (outcome === 'posted' && transaction) count(posted, transaction.type)
      })
  }
  return { members, addresses, model }
}

function expectedOutcome(model: Model, { role, together }: BatchDraw, batch: readonly Transaction[]) {
  try {
    return model.post(role, batch, together)
  } catch (error) {
    if (error instanceof ModelRefusal) return 'refused' as const
    throw error
  }
}

/** Deletes all rows directly, so that every run begins with an empty ledger. */
async function emptyLedger(): Promise<void> {
  const rows = ['ledger_transaction', 'posting', 'log_line', 'log_closing', 'ledger_account', 'suspense_holder']
  for (const table of [...rows, 'ledger_day_sum']) await sql`delete from ${sql.id('lode', table)}`.execute(ledger.owner)
}

async function readLedgerBalances(): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ kind: KindName; holder: string; asset: string; balance: string }>`
    select kind.name as kind, asset.name as asset, sum(balance) as balance,
           coalesce('0x' || encode(address, 'hex'), (account.id >> 14)::text) as holder
    from lode.ledger_account account
    join lode.ledger_kind kind on kind.code = (account.id >> 8) & 63
    join lode.ledger_asset asset on asset.code = (account.id >> 6) & 3
    left join lode.suspense_holder on owner = account.id >> 14
    group by 1, 2, 4`.execute(ledger.owner)
  return new Map(rows.map(({ kind, holder, asset, balance }) => [`${kind} ${holder} ${asset}`, BigInt(balance)]))
}

async function readLedgerLines(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', line.member, asset.name, type.name, operation, amount - fee, fee, coalesce(closing.phase, line.phase)) as line
    from lode.log_line line
    join lode.ledger_asset asset on asset.code = line.asset
    join lode.ledger_log_type type on type.code = line.type
    left join lode.log_closing closing on (closing.member, closing.asset, closing.line) = (line.member, line.asset, line.id)`.execute(
    ledger.owner,
  )
  return rows.map(({ line }) => line)
}

async function readKeptSums(): Promise<string[]> {
  const { rows } = await sql<{ sum: string }>`
    select concat_ws(' ', sum.member, asset.name, type.name, sum(sum.amount), sum(sum.fee)) as sum
    from lode.ledger_day_sum sum
    join lode.ledger_asset asset on asset.code = sum.asset
    join lode.ledger_log_type type on type.code = sum.type
    group by sum.member, asset.name, type.name`.execute(ledger.owner)
  return rows.map(({ sum }) => sum)
}

/** The sums of the confirmed lines, by member, asset and type. */
function sumConfirmedLines(lines: readonly ModelLine[]): string[] {
  const confirmed = lines.filter(({ phase }) => phase === 'confirmed')
  const groups = Map.groupBy(confirmed, ({ member, asset, type }) => `${member} ${asset} ${type}`)
  return Array.from(groups, ([group, own]) => {
    const fee = own.reduce((sum, line) => sum + line.fee, 0n)
    return `${group} ${own.reduce((sum, line) => sum + line.change, fee)} ${fee}`
  })
}

const nonZero = (balances: ReadonlyMap<string, bigint>) =>
  Object.fromEntries(
    Array.from(balances)
      .filter(([, balance]) => balance !== 0n)
      .toSorted(),
  )

async function expectSameAsModel(sequence: readonly BatchDraw[]): Promise<void> {
  const { model } = await replaySequence(sequence)
  const inBooks = await readLedgerBalances()
  expect(nonZero(inBooks)).toEqual(nonZero(model.balances))
  const expectedLines = model.lines.map((line) =>
    [line.member, line.asset, line.type, line.operation, line.change, line.fee, line.phase].join(' '),
  )
  expect((await readLedgerLines()).toSorted()).toEqual(expectedLines.toSorted())
  expect((await readKeptSums()).toSorted()).toEqual(sumConfirmedLines(model.lines).toSorted())
  checkInvariants(inBooks, model.transactions)
}

describe('random sequences of all transaction types', () => {
  const sequences = fc.asyncProperty(arbitraryDraws(60), expectSameAsModel)

  it('give the same result as the model, and never turn held money into dividends', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(sequences, { numRuns: 25, seed: 1 })
    expect(Object.keys(types).filter((type) => !posted.has(type as TypeName))).toEqual([])
    for (const outcome of ['posted', 'repeated', 'conflict', 'insufficient', 'undone', 'refused'])
      expect([outcome, outcomes.get(outcome) ?? 0]).toEqual([outcome, expect.toSatisfy((seen: number) => seen > 10)])
  })

  it('give the same result as the model with a new seed', { timeout: 3_600_000 }, () =>
    fc.assert(sequences, { numRuns: RUNS }),
  )
})

/** Checks the ledger's invariants without the chart, from account names and posted transactions. */
function checkInvariants(balances: ReadonlyMap<string, bigint>, transactions: readonly Transaction[]): void {
  const total = (name: RegExp, asset: string) =>
    Array.from(balances)
      .filter(([account]) => name.test(account) && account.endsWith(` ${asset}`))
      .reduce((sum, [, balance]) => sum + balance, 0n)
  for (const asset of ['USDT', 'BTN', 'BTC']) expect(total(/./, asset)).toBe(0n)
  for (const [account, balance] of balances)
    if (!/^(?:custody:|pool:loss )/.test(account)) expect([account, balance >= 0n]).toEqual([account, true])

  const moved = (kind: KindName, side: 'from' | 'to', only?: TypeName) =>
    transactions
      .filter(({ type }) => only === undefined || type === only)
      .flatMap<{ amount: bigint; from: unknown; to: unknown }>(({ moves }) => [...moves])
      .filter((move) => move[side] === kind)
      .reduce((sum, { amount }) => sum + amount, 0n)
  // Dividend funding comes only from the chain, each with a log of its own. It leaves only when it is shared out.
  expect(moved('dividend:funded', 'to')).toBe(moved('dividend:funded', 'to', 'dividendFunding'))
  expect(moved('dividend:funded', 'to', 'dividendFunding')).toBe(moved('custody:vault', 'from', 'dividendFunding'))
  expect(total(/^dividend:funded/, 'BTC')).toBe(moved('dividend:funded', 'to') - moved('dividend:funded', 'from'))
  const fundings = transactions.filter(({ type }) => type === 'dividendFunding').map(({ key }) => key)
  expect(new Set(fundings).size).toBe(fundings.length)
}

it("the api's role cannot create money, whatever it posts", { timeout: 600_000 }, async () => {
  const held = async () => {
    const { rows } = await sql<{ asset: number; custody: string }>`
      select (id >> 6) & 3 as asset, sum(balance) as custody from lode.ledger_account
      where (id >> 8) & 63 = any(${[kinds['custody:vault'].code, kinds['custody:cold'].code]}) and id >> 14 = 0
      group by 1 order by 1`.execute(ledger.owner)
    return rows
  }
  let postedByApi = 0
  await fc.assert(
    fc.asyncProperty(arbitraryDraws(30), arbitraryDraws(30), async (before, after) => {
      const world = await replaySequence(before)
      const heldBefore = await held()
      for (const draw of after) {
        const answers = await post(ledger.api, buildBatch(draw, world)).catch((error: Error) => {
          // The database refuses what the api may not post. Any other error is a fault of this test.
          expect(error.message).toMatch(/^ledger: |unique constraint/)
          return []
        })
        postedByApi += answers.filter(({ outcome }) => outcome === 'posted').length
      }
      expect(await held()).toEqual(heldBefore)
    }),
    { numRuns: Math.ceil(RUNS / 2) },
  )
  expect(postedByApi).toBeGreaterThan(0)
})
