import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { units } from '@lode/kernel'
import { sql } from 'kysely'
import { type Hex, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit, post, readBalances, readSystemBalances } from '../modules/ledger/index.ts'
import { readPayouts, writeSignerState } from '../modules/payout/index.ts'
import { connectDatabase, type DatabaseConnection } from '../platform/db/database.ts'
import { startTestApi, type TestApi, testEnvironment } from '../testing/api.ts'
import {
  PASSWORD,
  registerMember,
  registerWithFundPassword,
  requestAndSign,
  type TestMember,
} from '../testing/member.ts'
import { EXAMPLE_PLAN_FILE, examplePlanText } from '../testing/plan.ts'
import { startServerProcess, type TestProcess } from '../testing/process.ts'
import { createTestWallet } from '../testing/wallet.ts'

/** Operators at their command lines, each with its own key file and passphrase. */

let api: TestApi
let worker: DatabaseConnection
let folder: string
let operators: { alice: string; bob: string; carol: string }
const running: TestProcess[] = []

beforeAll(async () => {
  api = await startTestApi()
  worker = connectDatabase(api.database.urlOf('lode_worker'), { name: 'lode test', max: 1 })
  folder = mkdtempSync(join(tmpdir(), 'lode-operators-'))
}, 60_000)
afterAll(async () => {
  for (const process of running) process.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await worker.close()
  await api.close()
  rmSync(folder, { recursive: true })
})

/** The source, as in production. Other tests run the bundle. */
const LODE_FILE = fileURLToPath(new URL('lode.ts', import.meta.url))
const HELP_FOLDER = fileURLToPath(import.meta.resolve('../../help'))

/** A member of the highest level, with a fund password and the browser of its registration. */
async function newMember(): Promise<TestMember & { id: bigint }> {
  const member = await registerWithFundPassword(api, PASSWORD, 'BrowserOfRegistration0')
  const account = Buffer.from(member.wallet.account.slice(2), 'hex')
  const { rows } = await sql<{ id: bigint }>`
    update lode.member set level = 5 where account = ${account} returning id`.execute(api.db)
  return { ...member, id: rows[0]?.id ?? 0n }
}

async function transfer({ wallet: { account }, token }: TestMember, amount: string) {
  const asked = { account, key: randomUUID(), planVersion: 1, address: account, symbol: 'USDT', amount } as const
  const { body } = await api.call('transfer/order', { ...asked, password: PASSWORD }, { token })
  return body.data
}

const pausedUntil = async ({ wallet, token }: TestMember): Promise<string | null> =>
  (await api.call('transfer/terms', { account: wallet.account }, { token })).body.data.pausedUntil

/** Reports as a running signer that pins this ceremony, or none. */
async function reportAsSigner(ceremony: Hex | null): Promise<void> {
  const { db, close } = connectDatabase(api.database.urlOf('lode_signer'), { name: 'lode test', max: 1 })
  await writeSignerState(db, ceremony)
  await close()
}

async function readCeremony(): Promise<Hex> {
  const { rows } = await sql<{ hash: Buffer }>`select hash from lode.operator_link where number = 1`.execute(api.db)
  return toHex(rows[0]?.hash ?? new Uint8Array())
}

const inFolder = (name: string): string => join(folder, name)

const environment = (): Record<string, string> => ({
  ...testEnvironment(api.database),
  DATABASE_URL: api.database.urlOf('lode_operator'),
})

async function lode(args: readonly string[], also: Record<string, string> = {}) {
  const process = startServerProcess('lode', { ...environment(), ...also }, ...args)
  running.push(process)
  return { code: await process.ended, words: process.output().trim() }
}

/** Runs a command with that operator's key and passphrase, with --yes. */
const as = (name: string, ...args: string[]) =>
  lode([...args, '--key', inFolder(`${name}.json`), '--yes'], { LODE_PASSPHRASE_FILE: inFolder(`${name}.txt`) })

/** A plan is published on the server, with the owner's role: all processes but the signer trust the table. */
const publish = (name: string, ...args: string[]) =>
  lode(['plan', 'publish', ...args, '--key', inFolder(`${name}.json`), '--yes'], {
    LODE_PASSPHRASE_FILE: inFolder(`${name}.txt`),
    DATABASE_URL: api.database.ownerUrl,
  })

async function makeKey(name: string): Promise<string> {
  writeFileSync(inFolder(`${name}.txt`), `the passphrase of ${name}\n`)
  const { code, words } = await lode(['operator', 'key', inFolder(`${name}.json`), '--name', name], {
    LODE_PASSPHRASE_FILE: inFolder(`${name}.txt`),
  })
  expect(code, words).toBe(0)
  return words.split('\n').at(-1) ?? ''
}

describe('the operators’ command line', { timeout: 180_000 }, () => {
  it('creates a key with a passphrase, and never overwrites a key file', async () => {
    const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map(makeKey))
    operators = { alice: alice ?? '', bob: bob ?? '', carol: carol ?? '' }
    expect(operators.alice).toMatch(/^alice=[0-9a-f]{64}$/)
    expect(statSync(inFolder('alice.json')).mode & 0o777).toBe(0o600)
    const before = readFileSync(inFolder('alice.json'), 'utf8')
    expect(
      await lode(['operator', 'key', inFolder('alice.json'), '--name', 'alice'], {
        LODE_PASSPHRASE_FILE: inFolder('alice.txt'),
      }),
    ).toEqual({
      code: 1,
      words: `${inFolder('alice.json')} exists already, and it is never replaced. Name another file.`,
    })
    expect(readFileSync(inFolder('alice.json'), 'utf8')).toBe(before)
    writeFileSync(inFolder('short.txt'), 'short')
    expect(
      await lode(['operator', 'key', inFolder('short.json'), '--name', 'eve'], {
        LODE_PASSPHRASE_FILE: inFolder('short.txt'),
      }),
    ).toMatchObject({ code: 1, words: expect.stringContaining('too short') })
    expect(existsSync(inFolder('short.json'))).toBe(false)
  })

  it('starts with a ceremony that every operator signs', async () => {
    expect(await lode(['operator', 'list'])).toEqual({ code: 0, words: 'There are no operators yet.' })
    const { alice, bob } = operators
    const first = await as('alice', 'operator', 'init', alice, bob)
    expect(first).toMatchObject({ code: 0, words: expect.stringContaining('The others sign with the same command') })
    expect(first.words).toContain(alice.replace('=', '  '))
    expect(await as('alice', 'operator', 'init', alice, bob)).toMatchObject({
      code: 1,
      words: 'alice has signed this already. It takes another operator, with another key.',
    })
    expect(await as('bob', 'operator', 'init', bob, alice)).toMatchObject({
      code: 0,
      words: expect.stringContaining('The pool has operators'),
    })
    const { words } = await lode(['operator', 'list'])
    expect(words).toContain(alice)
    expect(words).toContain(bob)
    expect(words).toMatch(/^Ceremony: [0-9a-f]{64}$/m)
  })

  it('publishes a plan that two operators signed, and shows its changes', async () => {
    expect(await lode(['plan', 'list'])).toEqual({ code: 0, words: 'No plan is published: nothing can be ordered.' })
    const first = await publish('alice', EXAMPLE_PLAN_FILE)
    expect(first).toMatchObject({ code: 0, words: expect.stringContaining('the same file and another key') })
    expect(first.words).toContain('levels.1.price  100')
    expect((await api.call('plan/current', {})).body.reason).toBe('plan-none')
    expect(await publish('alice', EXAMPLE_PLAN_FILE)).toMatchObject({
      code: 1,
      words: expect.stringContaining('alice has signed this already'),
    })
    expect(await publish('bob', EXAMPLE_PLAN_FILE)).toMatchObject({
      code: 0,
      words: expect.stringContaining('Version 1 is published'),
    })
    expect((await api.call('plan/current', {})).body.data.version).toBe(1)
    expect((await lode(['plan', 'list'])).words).toMatch(/^1 {2}in force, published on /)

    const dearer = inFolder('dearer.json')
    writeFileSync(dearer, examplePlanText.replace('"fee": "1"', '"fee": "2"'))
    const second = await publish('bob', dearer, '--starts', '2030-01-31T00:00:00Z')
    expect(second.words).toContain('transfer.USDT.fee  1 → 2')
    expect(second.words).toContain('because these values make leaving harder')
    expect(await publish('bob', dearer, '--starts', 'tomorrow')).toMatchObject({
      code: 1,
      words: expect.stringContaining('tomorrow is not a time'),
    })
    const broken = inFolder('broken.json')
    writeFileSync(broken, examplePlanText.replace('"miningFund": 6500', '"miningFund": 6400'))
    expect(await publish('bob', broken)).toMatchObject({
      code: 1,
      words: expect.stringContaining('allocation: adds up to 9900, not to 10000'),
    })
  })

  it('signs nothing without confirmation, without a terminal, or with a wrong passphrase', async () => {
    const pause = ['transfer', 'pause', '2', 'a look at the node', '--key', inFolder('alice.json')]
    expect(await lode(pause)).toMatchObject({
      code: 1,
      words: expect.stringContaining('There is no terminal to ask on'),
    })
    expect(await lode([...pause, '--yes'], { LODE_PASSPHRASE_FILE: inFolder('bob.txt') })).toMatchObject({
      code: 1,
      words: expect.stringContaining('The passphrase is wrong'),
    })
    expect(await lode(pause.slice(0, 4))).toMatchObject({
      code: 1,
      words: 'Name your key file with --key FILE, or set LODE_OPERATOR_KEY',
    })
    const { rows } = await sql`select id from lode.decision where subject = 'payouts'`.execute(api.db)
    expect(rows).toEqual([])
  })

  it('refuses a decision for another pool than that of the database', async () => {
    expect(await lode(['operator', 'list'], { CHAIN_ID: '10' })).toMatchObject({
      code: 1,
      words: expect.stringContaining('not a link of this pool'),
    })
  })

  it('removes entries that do not verify, only for the owner of the database', async () => {
    expect(await lode(['operator', 'repair'])).toMatchObject({
      code: 1,
      words: expect.stringContaining('Only the owner'),
    })
    expect(await lode(['operator', 'repair'], { DATABASE_URL: api.database.ownerUrl })).toEqual({
      code: 0,
      words: 'All signatures verify. Nothing was removed.',
    })
  })

  it('publishes a notice that two operators signed, each with the same file', async () => {
    const words = { title: 'A new node', body: ['Payouts wait for an hour.'] }
    const file = inFolder('notice.json')
    writeFileSync(file, JSON.stringify({ en: words, zh_tw: words, zh_cn: words }))
    const first = await as('alice', 'notice', 'publish', file)
    expect(first).toMatchObject({ code: 0, words: expect.stringContaining('Payouts wait for an hour.') })
    expect(first.words).toContain('the same command with the same file and another key')
    writeFileSync(file, JSON.stringify({ zh_cn: words, en: words, zh_tw: words }, null, 2))
    expect(await as('bob', 'notice', 'publish', file)).toMatchObject({
      code: 0,
      words: expect.stringContaining('Signed by alice and bob. The worker carries it out within a minute'),
    })
    writeFileSync(file, JSON.stringify({ en: words, zh_tw: { title: '保本', body: [''] } }))
    const wrong = await as('alice', 'notice', 'publish', file)
    expect(wrong.code).toBe(1)
    for (const problem of ['zh_tw, title: promises what nobody can: 保本', 'zh_tw, paragraph 1: ', 'zh_cn: '])
      expect(wrong.words).toContain(problem)
  })

  it('disables and enables a member, ends sessions and stops, and lists every decision with its result', async () => {
    const { account } = (await registerMember(api)).wallet
    await sql`
      insert into lode.chain_state
        (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time, stopped_reason, stopped_at)
      values (${environment().CHAIN_ID}, decode(substr(${environment().VAULT_ADDRESS}, 3), 'hex'), sha256('genesis'), 90,
              sha256('posted'), lode.now(), 'the chain is another', lode.now())`.execute(api.db)
    const commands = [
      ['account', 'disable', account, 'your wallet was stolen'],
      ['chain', 'resume', 'both nodes agree again'],
      ['chain', 'rewind', '40', 'a log is missing'],
      ['proof', 'again', 'both nodes were replaced'],
    ] as const
    for (const command of commands) {
      expect(await as('alice', ...command)).toMatchObject({
        code: 0,
        words: expect.stringContaining('It takes another operator'),
      })
      expect(await as('bob', ...command)).toMatchObject({
        code: 0,
        words: expect.stringContaining('Signed by alice and bob. The worker carries it out'),
      })
    }
    expect((await as('alice', 'chain', 'resume')).words).toContain('because: the chain is another')
    expect(await as('alice', 'session', 'end', 'the api was stolen', '--all')).toMatchObject({ code: 0 })
    expect(await as('alice', 'session', 'end', 'a lost phone', '--of', account)).toMatchObject({ code: 0 })
    for (const wrong of [['--all', '--of', account], []])
      expect(await as('alice', 'session', 'end', 'why', ...wrong)).toMatchObject({
        code: 1,
        words: 'Choose one: --all, or --of ADDRESS.',
      })
    const running = await startWorker()
    const list = () => lode(['decision', 'list'])
    try {
      await expect
        .poll(async () => (await list()).words.match(/Carried out/g)?.length ?? 0, { timeout: 30_000 })
        .toBeGreaterThanOrEqual(7)
    } finally {
      running.kill('SIGTERM')
      await running.ended
    }
    const { words } = await list()
    for (const part of [
      'Because, as it will read: your wallet was stolen',
      'Signed by alice on',
      ', bob on',
      'disable',
    ])
      expect(words).toContain(part)
    expect(await as('alice', 'account', 'disable', account, 'again')).toMatchObject({
      code: 1,
      words: `${account} is disabled already.`,
    })
    const { wallet, token } = await registerMember(api)
    const { body } = await api.call('notice/list', { account: wallet.account }, { token })
    expect(body.data.items.filter(({ kind }) => kind === 'message')).toMatchObject([
      { words: { en: { title: 'A new node' } } },
    ])
    await sql`delete from lode.chain_state`.execute(api.db)
  })

  it('imports help articles from a folder, only for the owner of the database', async () => {
    const asOwner = { DATABASE_URL: api.database.ownerUrl }
    expect(await lode(['help', 'import', HELP_FOLDER])).toMatchObject({
      code: 1,
      words: expect.stringContaining('Only the owner'),
    })
    expect(await lode(['help', 'import', HELP_FOLDER], asOwner)).toMatchObject({
      code: 0,
      words: expect.stringMatching(/^Imported: \d+ articles in 3 languages\.$/),
    })
    expect(await lode(['help', 'import', folder], asOwner)).toEqual({
      code: 1,
      words: `${folder} must have the folders en, zh_tw, zh_cn. It does not have en, zh_tw, zh_cn.`,
    })
  })

  it('adds and removes an operator with two signatures', async () => {
    const { carol } = operators
    expect(await as('alice', 'operator', 'add', carol)).toMatchObject({ code: 0 })
    expect(await as('bob', 'operator', 'add', carol)).toMatchObject({
      code: 0,
      words: expect.stringContaining('carol is an operator.'),
    })
    expect(await as('alice', 'operator', 'remove', 'carol')).toMatchObject({ code: 0 })
    expect(await as('carol', 'operator', 'remove', 'carol')).toMatchObject({
      code: 0,
      words: expect.stringContaining('carol is no operator any more.'),
    })
    expect(await as('alice', 'operator', 'remove', 'bob')).toMatchObject({
      code: 1,
      words: 'The operators cannot be changed: fewer than two operators would be left.',
    })
  })

  it('pauses with one signature and resumes with two; members see when the pause ends', async () => {
    const member = await newMember()
    expect(await as('bob', 'transfer', 'pause', '5', 'the node is slow')).toMatchObject({ code: 0 })
    expect(Date.parse((await pausedUntil(member)) ?? '') - Date.now()).toBeGreaterThan(4.9 * 3_600_000)
    // A shorter pause does not end the longer one, and says so.
    const until = (await pausedUntil(member))?.replace(/^(\S+)T(\d\d:\d\d).*/, '$1 $2 UTC')
    expect((await as('alice', 'transfer', 'pause', '1', 'a second look')).words).toContain(
      `Nothing is paid out until ${until}: an earlier pause lasts longer.`,
    )
    expect(await as('bob', 'transfer', 'resume', 'it is fast again')).toMatchObject({ code: 0 })
    expect(await pausedUntil(member)).not.toBeNull()
    await reportAsSigner(await readCeremony())
    const resumed = await as('alice', 'transfer', 'resume')
    expect(resumed).toMatchObject({ code: 0, words: expect.stringContaining('it is fast again') })
    expect(resumed.words).toMatch(/Payouts go on\.$/)
    expect(await pausedUntil(member)).toBeNull()
  })

  it('signs, and keeps its exit code, although nobody reads its output any more', async () => {
    const pause = ['transfer', 'pause', '1', 'a closed pipe', '--yes', '--key', inFolder('alice.json')]
    const runUnread = async (passphrase: string): Promise<unknown> => {
      const child = spawn(process.execPath, [LODE_FILE, ...pause], {
        env: { ...environment(), LODE_PASSPHRASE_FILE: inFolder(passphrase) },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      child.stdout.destroy()
      return (await once(child, 'exit'))[0]
    }
    expect(await runUnread('bob.txt')).toBe(1)
    expect(await runUnread('alice.txt')).toBe(0)
    const { rows } = await sql`select id from lode.decision where body like '%a closed pipe%'`.execute(api.db)
    expect(rows).toHaveLength(1)
    for (const name of ['alice', 'bob']) await as(name, 'transfer', 'resume', 'the pipe is open')
  })
})

async function startWorker(also: Record<string, string> = {}): Promise<TestProcess> {
  const worker = startServerProcess('worker', {
    ...environment(),
    DATABASE_URL: api.database.urlOf('lode_worker'),
    WORKER_PORT: '0',
    LOG_LEVEL: 'info',
    ...also,
  })
  running.push(worker)
  await worker.waitForOutput('Worker connected and looking for jobs')
  return worker
}

const expectEventually = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 30_000, interval: 50 })

describe('a decision of the operators', { timeout: 180_000 }, () => {
  it('ends the review of a large transfer, and a rejected transfer is refunded', async () => {
    const member = await newMember()
    const amount = units('USDT', 20_000_000_000n)
    const line = {
      type: 'transferIn',
      operation: '0xbeefbeefbeefbeefbeefbeefbeefbeefbeefbeefbeefbeefbeefbeefbeefbeef:0',
    } as const
    const to = { kind: 'available', member: member.id, line } as const
    await post(worker.db, [
      {
        type: 'deposit',
        key: 'chain:31337:0xbeefbeefbeefbeefbeefbeefbeefbeefbeefbeefbeefbeefbeefbeefbeefbeef:0',
        moves: [{ asset: 'USDT', amount, from: 'custody:vault', to }],
      },
    ])
    const [large, rejected] = [await transfer(member, '5500'), await transfer(member, '4000')]
    expect(large.holds).toMatchObject([{ reason: 'review-size' }])
    const [{ words }, unreviewed] = await Promise.all([
      lode(['transfer', 'list']),
      as('alice', 'transfer', 'approve', rejected.id),
    ])
    expect(words).toContain(`${large.id}  5500 USDT, fee 1 USDT`)
    expect(words).toContain('under review, because it is large, until')
    expect(unreviewed).toEqual({ code: 1, words: 'It is not under review: there is nothing to decide.' })

    await reportAsSigner(await readCeremony())
    const approved = await as('alice', 'transfer', 'approve', large.id)
    expect(approved).toMatchObject({ code: 0, words: expect.stringContaining('It goes on') })
    expect(approved.words).toContain('Approve the transfer of 5500 USDT')
    expect((await lode(['transfer', 'list'])).words).toContain('will be signed next')
    expect((await as('bob', 'transfer', 'approve', large.id)).words).toMatch(
      /^This transfer was approved by alice on \d.* UTC \(decision \d+\), and is not under review\.$/,
    )
    const asked = { account: member.wallet.account, id: large.id }
    expect((await api.call('order/detail', asked, { token: member.token })).body.data.state).toBe('approved')

    // Every transfer of a disabled account is under review.
    await sql`update lode.member set disabled_at = lode.now() where id = ${member.id}`.execute(api.db)
    const carryingOut = await startWorker()
    expect(await as('bob', 'transfer', 'reject', rejected.id, 'not today')).toMatchObject({ code: 0 })
    await expectEventually(async () => (await readPayouts(api.db, sql`where id = ${rejected.id}`))[0]?.ended).toBe(
      'rejected',
    )
    const again = await as('bob', 'transfer', 'approve', rejected.id)
    expect(again.words).toMatch(/^This transfer was rejected by bob on \d.* UTC \(decision \d+\)\.$/)
    const unknown = await as('bob', 'transfer', 'approve', '01234567-89ab-4def-8123-456789abcdef')
    expect(unknown).toEqual({ code: 1, words: 'There is no such transfer.' })
    expect((await readBalances(api.db, member.id)).USDT.frozenOut).toBe(5_501_000_000n)
    carryingOut.kill('SIGTERM')
    expect(await carryingOut.ended).toBe(0)
  })

  it('is shown as not obeyed while the signer does not obey it', async () => {
    const member = await newMember()
    const amount = units('USDT', 20_000_000_000n)
    const line = {
      type: 'transferIn',
      operation: '0xbabebabebabebabebabebabebabebabebabebabebabebabebabebabebabebabe:0',
    } as const
    const to = { kind: 'available', member: member.id, line } as const
    await post(worker.db, [
      {
        type: 'deposit',
        key: 'chain:31337:0xbabebabebabebabebabebabebabebabebabebabebabebabebabebabebabebabe:0',
        moves: [{ asset: 'USDT', amount, from: 'custody:vault', to }],
      },
    ])
    const large = await transfer(member, '5500')
    /** The head of the list, and the line of this transfer. */
    const listed = async () => {
      const { words } = await lode(['transfer', 'list'])
      return { words, line: words.split(large.id)[1]?.split('\n')[1] ?? '' }
    }

    await reportAsSigner(null)
    const notPinned = 'The signer does not obey the operators: OPERATORS_CEREMONY is not set there'
    const approved = await as('alice', 'transfer', 'approve', large.id)
    expect(approved).toMatchObject({ code: 0, words: expect.stringContaining(notPinned) })
    expect(approved.words).not.toContain('It goes on')
    expect((await lode(['operator', 'list'])).words).toContain(notPinned)
    const unpinned = await listed()
    expect(unpinned.words).toContain(notPinned)
    expect(unpinned.line).toContain('for the signer to obey the operators')

    await reportAsSigner(`0x${'ab'.repeat(32)}`)
    const otherwise = await listed()
    expect(otherwise.words).toContain('which is no link of these operators’ chain')
    expect(otherwise.line).toContain('for the signer to obey the operators')

    await api.clock.advance(6 * 60)
    const away = await listed()
    expect(away.words).toContain('The signer has not reported since')
    expect(away.line).toContain('for the signer to run again')

    await reportAsSigner(await readCeremony())
    const obeyed = await listed()
    expect(obeyed.words).not.toContain('The signer')
    expect(obeyed.line).toContain('will be signed next')
  })

  it('pays from the treasury once, even if the worker is killed before and after posting it', async () => {
    const address = createTestWallet().account
    const amount = units('BTN', 1_000n * 10n ** 18n)
    const key = 'chain:31337:0xfeedfeedfeedfeedfeedfeedfeedfeedfeedfeedfeedfeedfeedfeedfeedfeed:0'
    const funding = { asset: 'BTN', amount, from: 'custody:vault', to: 'reserve:mining' } as const
    await post(worker.db, [{ type: 'reserveFunding', key, moves: [funding] }])
    const pay = ['treasury', 'pay', 'reserve:mining', '250.5', address, 'invoice 17 of the hosting company']
    expect(await as('alice', 'treasury', 'address', address, 'the hosting company')).toMatchObject({ code: 0 })
    expect(await as('bob', 'treasury', 'address', address)).toMatchObject({ code: 0 })
    expect(await as('alice', ...pay)).toMatchObject({ code: 1, words: expect.stringContaining('can be paid to from') })
    await api.clock.advance(48 * 3_600)

    const signed = await as('alice', ...pay)
    expect(signed).toMatchObject({ code: 0, words: expect.stringContaining('It takes another operator') })
    expect(signed.words).toContain('Pay 250.5 BTN from reserve:mining')
    expect(signed.words).toContain(`To ${address}`)
    expect(await as('alice', ...pay)).toMatchObject({
      code: 1,
      words: expect.stringContaining('has signed this already'),
    })
    expect((await lode(['treasury', 'list'])).words).toContain('Waiting for another operator:')

    const faults = mkdtempSync(join(folder, 'faults-'))
    for (const point of ['worker-before-apply-decision', 'worker-after-apply-decision'])
      writeFileSync(join(faults, point), '')
    const first = await startWorker({ FAULTS: faults })
    await reportAsSigner(await readCeremony())
    expect(await as('bob', ...pay)).toMatchObject({ code: 0, words: expect.stringContaining('It will be paid') })
    expect(await first.ended).toBe('SIGKILL')
    const paymentsTo = () => readPayouts(api.db, sql`where address = ${Buffer.from(address.slice(2), 'hex')}`)
    expect(await paymentsTo()).toEqual([])

    const second = await startWorker({ FAULTS: faults })
    await sql`select graphile_worker.add_job('apply-decisions', job_key => 'apply-decisions')`.execute(api.db)
    expect(await second.ended).toBe('SIGKILL')
    const third = await startWorker()
    await sql`select graphile_worker.add_job('apply-decisions', job_key => 'apply-decisions')`.execute(api.db)
    await expectEventually(
      async () =>
        (
          await sql`select id from graphile_worker._private_jobs where key = 'apply-decisions' and locked_at is null`.execute(
            api.db,
          )
        ).rows,
    ).toEqual([])
    third.kill('SIGTERM')
    await third.ended

    expect(await paymentsTo()).toMatchObject([
      { kind: 'treasury', amount: 2_505n * 10n ** 17n, paidFrom: 'reserve:mining' },
    ])
    const balance = await readSystemBalances(api.db)
    expect(balance('pool:paying', 'BTN')).toBe(2_505n * 10n ** 17n)
    expect((await lode(['treasury', 'list'])).words).toContain('waits for the signer')
    expect((await api.call('pool/payments', {})).body.data).toMatchObject({
      items: [{ from: 'reserve:mining', amount: '250.5', address, state: 'waiting', tx: null }],
      next: null,
    })
    expect((await api.call('pool/payments', { cursor: 'x' })).body.reason).toBe('format')
    expect((await audit(api.db)).findings).toEqual([])
  })

  it('appoints an expert once, even if the worker is killed before and after it does so', async () => {
    const member = await registerMember(api)
    const { account } = member.wallet
    const move = {
      asset: 'BTN',
      amount: units('BTN', 10n ** 24n),
      from: 'custody:vault',
      to: 'reserve:airdrop',
    } as const
    await post(worker.db, [{ type: 'reserveFunding', key: `chain:31337:0x${'abba'.repeat(16)}:0`, moves: [move] }])
    const first = await as('alice', 'expert', 'authorise', account)
    expect(first).toMatchObject({ code: 0, words: expect.stringContaining('It takes another operator') })
    expect(first.words).toContain(`Authorize as a sharing expert the member ${account}`)
    expect(first.words).toContain('It is given 50000 BTN')

    const faults = mkdtempSync(join(folder, 'faults-'))
    for (const point of ['worker-before-apply-decision', 'worker-after-apply-decision'])
      writeFileSync(join(faults, point), '')
    const killed = await startWorker({ FAULTS: faults })
    expect(await as('bob', 'expert', 'authorise', account)).toMatchObject({ code: 0 })
    expect(await killed.ended).toBe('SIGKILL')
    expect((await lode(['expert', 'list'])).words).toContain('none')
    const again = await startWorker({ FAULTS: faults })
    await sql`select graphile_worker.add_job('apply-decisions', job_key => 'apply-decisions')`.execute(api.db)
    expect(await again.ended).toBe('SIGKILL')
    const last = await startWorker()
    await sql`select graphile_worker.add_job('apply-decisions', job_key => 'apply-decisions')`.execute(api.db)
    await expectEventually(async () => (await lode(['expert', 'list'])).words).toContain(`${account}  since`)
    last.kill('SIGTERM')
    await last.ended

    const { rows } = await sql<{ id: bigint }>`
      select id from lode.member where account = ${Buffer.from(account.slice(2), 'hex')}`.execute(api.db)
    expect((await readBalances(api.db, rows[0]?.id ?? 0n)).BTN.available).toBe(50_000n * 10n ** 18n)
    expect((await lode(['expert', 'list'])).words).toContain('received 50000 BTN')
    expect(await as('alice', 'expert', 'authorise', account)).toEqual({
      code: 1,
      words: `${account} is a sharing expert already.`,
    })
  })

  it('approves or rejects a partner application, and the list shows the applications', async () => {
    const member = await registerMember(api)
    const { account } = member.wallet
    expect(await as('alice', 'partner', 'approve', account)).toMatchObject({
      code: 1,
      words: expect.stringContaining(`No application of ${account} waits`),
    })
    await sql`
      insert into lode.partner_application (member_id)
      select id from lode.member where account = ${Buffer.from(account.slice(2), 'hex')}`.execute(api.db)
    expect(await as('alice', 'partner', 'approve', account)).toMatchObject({ code: 0 })
    expect((await lode(['status'])).words).toContain('Partner applications: 1, the oldest for ')
    expect((await lode(['partner', 'list'])).words).toMatch(
      new RegExp(`${account} {2}since .*; to approve, signed by alice\n`),
    )
    const reject = ['partner', 'reject', account, 'not yet']
    expect(await as('bob', ...reject)).toMatchObject({
      code: 1,
      words: expect.stringContaining('approve a partner, signed by alice'),
    })
    expect(await as('bob', ...reject, '--new')).toMatchObject({ code: 0 })
    expect((await lode(['decision', 'list', '--open'])).words).toContain('reject a partner')
    // The owner forged the application: its conditions are not met, and the worker checks them.
    expect(await as('bob', 'partner', 'approve', account)).toMatchObject({ code: 0 })
    const carryingOut = await startWorker()
    await sql`select graphile_worker.add_job('apply-decisions', job_key => 'apply-decisions')`.execute(api.db)
    await expectEventually(async () => (await lode(['partner', 'list'])).words).toContain('five layers are not full')
    // Two operators have decided about this application, so nobody can sign the rejection any more.
    expect((await lode(['decision', 'list', '--open'])).words).not.toContain('a partner')
    carryingOut.kill('SIGTERM')
    await carryingOut.ended
  })

  it('the audit also checks data outside the ledger', async () => {
    const member = await newMember()
    const { code, words } = await lode(['audit'], { DATABASE_URL: api.database.ownerUrl })
    expect(code).toBe(1)
    expect(words).toMatch(/^WRONG {2}member \d+ holds another level than its promotions add up to$/m)
    expect(words).not.toContain('Nothing is wrong')
    await sql`update lode.member set level = 0`.execute(api.db)
    expect(member.id).toBeGreaterThan(0n)
    expect(await lode(['audit'], { DATABASE_URL: api.database.ownerUrl })).toMatchObject({
      code: 0,
      words: expect.stringContaining('Nothing is wrong'),
    })
  })

  it('keeps a listed address from registering', async () => {
    const wallet = createTestWallet()
    for (const name of ['alice', 'bob'])
      expect(await as(name, 'treasury', 'address', wallet.account, 'an exchange')).toMatchObject({ code: 0 })
    const answer = await api.call('sign/regist', {
      ...(await requestAndSign(api, wallet, api.rootCode)),
      invite: api.rootCode,
      lang: 'en',
    })
    expect(answer.body.reason).toBe('account-reserved')
    const member = await registerMember(api)
    expect(await as('alice', 'treasury', 'address', member.wallet.account, 'a friend')).toMatchObject({
      code: 1,
      words: `${member.wallet.account} is the address of a member.`,
    })
  })

  it('returns a deposit from an address that is not registered', async () => {
    const address = createTestWallet().account
    const amount = units('BTC', 5_000_000n)
    const to = { kind: 'suspense:address', address } as const
    await post(worker.db, [
      {
        type: 'suspenseDeposit',
        key: 'chain:31337:0xfadefadefadefadefadefadefadefadefadefadefadefadefadefadefadefade:0',
        moves: [{ asset: 'BTC', amount, from: 'custody:vault', to }],
      },
    ])
    expect((await lode(['suspense', 'list'])).words).toContain(`${address}  0.05 BTC`)
    const back = ['suspense', 'return', address, '0.05', 'BTC']
    expect(await as('alice', ...back, 'sent by mistake')).toMatchObject({ code: 0 })
    expect(await as('bob', ...back)).toMatchObject({ code: 0, words: expect.stringContaining('sent by mistake') })
    expect((await lode(['suspense', 'list'])).words).toContain('the worker has not carried it out yet')
  })
})
