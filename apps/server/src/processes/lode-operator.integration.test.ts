import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicalJson, readKeyFile, readValidChain } from '../modules/operators/index.ts'
import { writeSignerState } from '../modules/payout/index.ts'
import { bytesOf } from '../platform/chain/hex-column.ts'
import { readClock } from '../platform/clock/clock.ts'
import { startTestApi, type TestApi, testPool } from '../testing/api.ts'
import { withoutCauseChecks } from '../testing/cause-checks.ts'
import { createTestClock } from '../testing/clock.ts'
import { registerMember } from '../testing/member.ts'
import { createOperatorCommands, type OperatorCommands } from '../testing/operator-commands.ts'
import type { TestOperator } from '../testing/operators.ts'
import { publishPlan } from '../testing/plan.ts'
import { createTestWallet } from '../testing/wallet.ts'

/** What changes with the operators, and what the remaining ones are told about it. */

let api: TestApi
let operators: OperatorCommands
beforeAll(async () => {
  api = await startTestApi()
  operators = await createOperatorCommands(api, ['alice', 'bob', 'carol'])
  for (const name of ['alice', 'bob']) await sign(name, 'operator', 'add', operators.keys.carol ?? '')
}, 120_000)
afterAll(async () => {
  operators.close()
  await api.close()
})

const as: OperatorCommands['as'] = (...words) => operators.as(...words)
const sign: OperatorCommands['sign'] = (...words) => operators.sign(...words)

async function openKey(name: string): Promise<TestOperator> {
  const file = readKeyFile(readFileSync(join(operators.folder, `${name}.json`), 'utf8'))
  const key = file.ok ? await file.value.open(`the passphrase of ${name}`) : file
  if (!key.ok) throw new Error(key.error)
  return { ...key.value, operator: { key: key.value.publicKey, name } }
}

/** Stores a decision with a valid signature that `lode` would never let this operator sign. */
async function storeStrange(name: string, fields: { verb: string; subject: string }, stored = fields): Promise<void> {
  const { sign: signText, publicKey } = await openKey(name)
  const expiry = new Date((await readClock(api.db)).getTime() + 3_600_000).toISOString()
  const text = canonicalJson({ ...testPool(), nonce: randomUUID(), expiry, ...fields })
  await sql`
    with stored as (
      insert into lode.decision (subject, verb, body, expires_at)
      values (${stored.subject}, ${stored.verb}, ${text}, ${expiry}) returning id)
    insert into lode.decision_signature (decision_id, place, operator, signature)
    select id, 1, ${Buffer.from(publicKey, 'hex')}, ${signText(text)} from stored`.execute(api.db)
}

const address = createTestWallet().account

/** Listed addresses with signatures of nobody. */
const storeForgedListings = (count: number) =>
  sql`
    with stored as (
      insert into lode.decision (subject, verb, body, expires_at)
      select 'forged', 'list', 'forged ' || number, lode.now() + interval '1 day'
      from generate_series(1, ${count}::int) as number returning id)
    insert into lode.decision_signature (decision_id, place, operator, signature)
    select id, place, sha256(place::text::bytea), sha512(place::text::bytea)
    from stored, generate_series(1, 2) as place`.execute(api.db)

describe('the removal of an operator', { timeout: 180_000 }, () => {
  const halfListed = createTestWallet().account
  const listedByOthers = createTestWallet().account

  it('says before the signature what stops counting', async () => {
    const member = await registerMember(api)
    await sign('alice', 'transfer', 'pause', '72', 'suspected theft')
    for (const name of ['alice', 'bob']) await sign(name, 'transfer', 'resume', 'false alarm')
    for (const name of ['alice', 'bob']) await sign(name, 'treasury', 'address', address, 'the hosting company')
    for (const name of ['alice', 'carol']) await sign(name, 'treasury', 'address', listedByOthers, 'the lawyers')
    await sign('bob', 'treasury', 'address', halfListed, 'a secret')
    await sign('bob', 'proof', 'again', 'a new node')
    await sign('alice', 'account', 'disable', member.wallet.account, 'of alice alone')
    expect(await as('alice', 'status')).not.toContain('Payouts: paused')

    const approval = { verb: 'approve', subject: 'transfer:x', symbol: 'USDT', amount: '1', address }
    await storeStrange('bob', approval)
    const removal = await sign('alice', 'operator', 'remove', 'bob')
    const before = removal.slice(0, removal.indexOf('What you are about to sign'))
    expect(before).toMatch(/^These stop counting when bob is no operator any more:\n/)
    expect(before).toMatch(
      /\n {2}resume \d+: payouts pause again until \d{4}-.* UTC, or until another operator signs it\n/,
    )
    expect(before).toMatch(new RegExp(`\n  address ${address} \\(decision \\d+\\): the hosting company\n`))
    expect(before).toMatch(/\n {2}half-signed \d+ \(list an address\)\n/)
    expect(before).toMatch(/\n {2}half-signed \d+ \(.*prove.*\)\n/)
    expect(before).not.toContain(halfListed)
    expect(before).not.toContain(listedByOthers)
    expect(before).not.toContain('disable')

    expect(await sign('carol', 'operator', 'remove', 'bob')).toContain('resume')
    expect(await as('alice', 'status')).toContain('Payouts: paused until')
  })

  it('leaves listed addresses in `treasury list`, as those that must be listed again', async () => {
    const listed = await as('alice', 'treasury', 'list')
    expect(listed).toMatch(new RegExp(`\n  ${listedByOthers}  from .*: the lawyers\n`))
    expect(listed).toContain(
      `signed by a former operator, not valid until it is listed again: ${address}  the hosting company\n`,
    )
    expect(listed).not.toContain(halfListed)
    expect(JSON.parse(await as('alice', 'treasury', 'list', '--json')).lapsedAddresses).toMatchObject([{ address }])
  })
})

describe('a removed operator', { timeout: 180_000 }, () => {
  it('is told that the key is not one of the operators’', async () => {
    const status = await as('bob', 'status', '--key', join(operators.folder, 'bob.json'))
    expect(status).toContain('This key is not one of the operators’')
    expect(status).not.toContain('Waiting for your signature')
    expect(await as('carol', 'status', '--key', join(operators.folder, 'carol.json'))).toContain(
      'Waiting for your signature',
    )
  })

  it('is an alarm until the signer pins the removal', async () => {
    const chain = await readValidChain(api.db, testPool())
    if (!chain.ok || !chain.value) throw new Error('there is no chain')
    const alarm = 'The signer pins an old change of the operators: bob was removed since.'
    await writeSignerState(api.db, `0x${chain.value.ceremony}`)
    expect(await as('alice', 'status')).toContain(alarm)
    expect(await as('alice', 'operator', 'list')).toContain(`\nThe signer pins the ceremony.\n${alarm}`)
    await writeSignerState(api.db, `0x${chain.value.head.hash}`)
    expect(await as('alice', 'status')).not.toContain(alarm)
    const list = await as('alice', 'operator', 'list')
    expect(list).toContain('The signer pins the last change.')
    expect(list).not.toContain(alarm)
  })
})

describe('`lode decision list`', { timeout: 180_000 }, () => {
  /** The state of the newest decision whose lines have these words. */
  async function stateOf(words: string): Promise<string | undefined> {
    const { decisions } = JSON.parse(await as('alice', 'decision', 'list', '--json'))
    const found = decisions.find(({ description }: { description: string[] }) => description.join('\n').includes(words))
    expect(await as('alice', 'decision', 'show', found.id)).toContain(`\n    ${found.state}`)
    return found.state
  }

  it('tells whether a decision counts, and with whose removal it stopped counting', async () => {
    expect(await stateOf('Begin with these operators')).toBe('In effect: alice and bob began the pool')
    expect(await stateOf('Add the operator carol')).toBe('In effect: carol is an operator')
    expect(await stateOf('Remove the operator bob')).toBe('In effect: bob is no operator')
    expect(await stateOf('Because: false alarm')).toMatch(/^Needs another signature until .*: bob is no operator$/)
    expect(await stateOf('Because: a new node')).toBe('No longer counts: bob is no operator')
    expect(await stateOf('Because: suspected theft')).toMatch(/^In effect until \d{4}-/)
    expect(await stateOf('the lawyers')).toMatch(/^In effect: the address can be paid from .* until .* UTC$/)
    expect(await stateOf('of alice alone')).toMatch(/^Needs another signature until \d{4}-/)
    await sign('carol', 'transfer', 'resume')
    expect(await stateOf('Because: suspected theft')).toMatch(/^Ended by decision \d+$/)
    expect(await stateOf('Because: false alarm')).toMatch(/^In effect: it ended every pause that began before /)
  })

  it('does not say that a signed decision counts which is for another pool or stored as another one', async () => {
    const until = new Date((await readClock(api.db)).getTime() + 3_600_000).toISOString()
    const pause = { verb: 'pause', subject: 'payouts', until }
    const signed = { ...pause, note: 'as it is signed' }
    await storeStrange('alice', signed)
    expect(await stateOf('Because: as it is signed')).toMatch(/^In effect until /)
    const elsewhere = { ...pause, note: 'of another pool', pool: createTestWallet().account }
    await storeStrange('alice', elsewhere)
    expect(await stateOf('Because: of another pool')).toBe('It does not count')
    const strange = { ...pause, note: 'of another subject' }
    await storeStrange('alice', strange, { ...strange, subject: 'other' })
    expect(await stateOf('Because: of another subject')).toBe('It does not count')
  })

  it('does not call expired what goes on', async () => {
    await publishPlan(api.db, testPool(), [await openKey('alice'), await openKey('carol')])
    const transfer = await requestLargeTransfer()
    await sign('alice', 'transfer', 'approve', transfer)
    expect(await stateOf('Approve the transfer')).toBe('In effect: the review is over')
    await withoutCauseChecks(api.db, () =>
      api.db.transaction().execute(async (trx) => {
        await sql`set local session_replication_role = replica`.execute(trx)
        await sql`
          update lode.payout set ended = 'final', ended_at = lode.now(), paid_at = lode.now(),
                                 paid_tx = sha256('paid'), paid_log_index = 0 where id = ${transfer}`.execute(trx)
      }),
    )
    expect(await stateOf('Approve the transfer')).toMatch(/^Used: paid on \d{4}-/)
    await createTestClock(api.db).advance(8 * 86_400)
    expect(await stateOf('Begin with these operators')).toBe('In effect: alice and bob began the pool')
    expect(await stateOf('Add the operator carol')).toBe('In effect: carol is an operator')
    expect(await stateOf('Publish the plan, version 1')).toMatch(/^Carried out/)
    expect(await stateOf('Because: false alarm')).toMatch(/^It ended every pause that began before /)
    expect(await stateOf('of alice alone')).toMatch(/^Expired on \d{4}-/)
  })

  async function requestLargeTransfer(): Promise<string> {
    const { wallet } = await registerMember(api)
    const id = randomUUID()
    await withoutCauseChecks(api.db, () =>
      sql`
        insert into lode.payout (id, kind, asset, amount, address, member_id, plan_version, level)
        select ${id}, 'transfer', 'USDT', 6000000000, account, id, 1, 0
        from lode.member where account = ${bytesOf(wallet.account)}`.execute(api.db),
    )
    return id
  }
})

describe('an address that a former operator has listed', { timeout: 180_000 }, () => {
  it('is found among more forged ones than are read, until it is listed again', async () => {
    await storeForgedListings(1_001)
    expect(JSON.parse(await as('alice', 'treasury', 'list', '--json')).lapsedAddresses).toMatchObject([{ address }])
    for (const name of ['alice', 'carol']) await sign(name, 'treasury', 'address', address, 'the hosting company')
    expect(await as('alice', 'treasury', 'list')).not.toContain('signed by a former operator')
  })
})
