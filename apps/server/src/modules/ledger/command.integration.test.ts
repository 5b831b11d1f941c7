import { ok, refused } from '@lode/kernel'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runOnce } from './command.ts'
import { post } from './post.ts'
import { readBalances } from './queries.ts'
import { openTestLedger, type TestLedger, usdt } from './testing/test-ledger.ts'
import { deposit, transferRequest } from './testing/transactions.ts'

let ledger: TestLedger
beforeAll(async () => {
  ledger = await openTestLedger({ connections: 8 })
})
afterAll(() => ledger.close())

async function createRichMember(): Promise<bigint> {
  const [member = 0n] = await ledger.members(1)
  await post(ledger.worker, [deposit('USDT', member, usdt(100))])
  return member
}

const readFrozen = async (member: bigint) => (await readBalances(ledger.api, member)).USDT.frozenOut

/** Freezes 10 USDT and returns how often it ran. */
const createFreezeCommand = (member: bigint, counter: { runs: number }) => async (trx: Parameters<typeof post>[0]) => {
  counter.runs += 1
  await post(trx, [transferRequest('USDT', member, usdt(10), `run${counter.runs}`)])
  return ok({ runs: counter.runs })
}

it('a command runs once for a key and always returns the same answer', async () => {
  const member = await createRichMember()
  const counter = { runs: 0 }
  const command = { member, key: 'k1', name: 'test', terms: '10' }
  expect(await runOnce(ledger.api, command, createFreezeCommand(member, counter))).toEqual(ok({ runs: 1 }))
  expect(await runOnce(ledger.api, command, createFreezeCommand(member, counter))).toEqual(ok({ runs: 1 }))
  expect([counter.runs, await readFrozen(member)]).toEqual([1, 10n])
})

it('a command runs once when eight requests with one key arrive at once', async () => {
  const member = await createRichMember()
  const counter = { runs: 0 }
  const command = { member, key: 'k1', name: 'test', terms: '10' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => runOnce(ledger.api, command, createFreezeCommand(member, counter))),
  )
  expect(answers).toEqual(answers.map(() => ok({ runs: 1 })))
  expect([counter.runs, await readFrozen(member)]).toEqual([1, 10n])
})

it('a key is refused for other terms or another command', async () => {
  const member = await createRichMember()
  const counter = { runs: 0 }
  const command = { member, key: 'k1', name: 'test', terms: '10' }
  await runOnce(ledger.api, command, createFreezeCommand(member, counter))
  for (const other of [
    { ...command, terms: '11' },
    { ...command, name: 'other' },
  ])
    expect(await runOnce(ledger.api, other, createFreezeCommand(member, counter))).toEqual(refused('key-conflict'))
  expect(counter.runs).toBe(1)
})

it('two members can use the same key', async () => {
  const [one, other] = [await createRichMember(), await createRichMember()]
  for (const member of [one, other]) {
    const command = { member, key: 'same', name: 'test', terms: '10' }
    expect(await runOnce(ledger.api, command, createFreezeCommand(member, { runs: 0 }))).toEqual(ok({ runs: 1 }))
  }
  expect([await readFrozen(one), await readFrozen(other)]).toEqual([10n, 10n])
})

it('a refused command is rolled back and its refusal is stored', async () => {
  const member = await createRichMember()
  const command = { member, key: 'k1', name: 'test', terms: '10' }
  const refusing = async (trx: Parameters<typeof post>[0]) => {
    await post(trx, [transferRequest('USDT', member, usdt(10), 'gone')])
    return refused({ code: 'quota', left: '5' })
  }
  expect(await runOnce(ledger.api, command, refusing)).toEqual(refused({ code: 'quota', left: '5' }))
  expect(await readFrozen(member)).toBe(0n)
  expect(await runOnce(ledger.api, command, createFreezeCommand(member, { runs: 0 }))).toEqual(
    refused({ code: 'quota', left: '5' }),
  )
  expect(await readFrozen(member)).toBe(0n)
})

it('a command that throws stores no answer and can be retried', async () => {
  const member = await createRichMember()
  const command = { member, key: 'k1', name: 'test', terms: '10' }
  const failing = async (trx: Parameters<typeof post>[0]) => {
    await post(trx, [transferRequest('USDT', member, usdt(10), 'gone')])
    throw new Error('the disk is full')
  }
  await expect(runOnce(ledger.api, command, failing)).rejects.toThrow('the disk is full')
  expect(await readFrozen(member)).toBe(0n)
  expect(await runOnce(ledger.api, command, createFreezeCommand(member, { runs: 0 }))).toEqual(ok({ runs: 1 }))
})
