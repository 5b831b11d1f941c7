import { ok, refused } from '@lode/kernel'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runOnce } from './command.ts'
import { post } from './post.ts'
import { balances } from './queries.ts'
import { type Books, openBooks, usdt } from './testing/books.ts'
import { deposit, request } from './testing/transactions.ts'

let books: Books
beforeAll(async () => {
  books = await openBooks({ connections: 8 })
})
afterAll(() => books.close())

async function richMember(): Promise<bigint> {
  const [member = 0n] = await books.members(1)
  await post(books.worker, [deposit('USDT', member, usdt(100))])
  return member
}

const frozen = async (member: bigint) => (await balances(books.api, member)).USDT.frozenOut

/** Freezes 10 USDT and returns how often it ran. */
const freezing = (member: bigint, counter: { runs: number }) => async (inside: Parameters<typeof post>[0]) => {
  counter.runs += 1
  await post(inside, [request('USDT', member, usdt(10), `run${counter.runs}`)])
  return ok({ runs: counter.runs })
}

it('runs once for a key, and answers the same ever after', async () => {
  const member = await richMember()
  const counter = { runs: 0 }
  const command = { member, key: 'k1', name: 'test', terms: '10' }
  expect(await runOnce(books.api, command, freezing(member, counter))).toEqual(ok({ runs: 1 }))
  expect(await runOnce(books.api, command, freezing(member, counter))).toEqual(ok({ runs: 1 }))
  expect([counter.runs, await frozen(member)]).toEqual([1, 10n])
})

it('runs once when eight requests with one key arrive at once', async () => {
  const member = await richMember()
  const counter = { runs: 0 }
  const command = { member, key: 'k1', name: 'test', terms: '10' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => runOnce(books.api, command, freezing(member, counter))),
  )
  expect(answers).toEqual(answers.map(() => ok({ runs: 1 })))
  expect([counter.runs, await frozen(member)]).toEqual([1, 10n])
})

it('refuses the key for other terms or another command', async () => {
  const member = await richMember()
  const counter = { runs: 0 }
  const command = { member, key: 'k1', name: 'test', terms: '10' }
  await runOnce(books.api, command, freezing(member, counter))
  for (const other of [
    { ...command, terms: '11' },
    { ...command, name: 'other' },
  ])
    expect(await runOnce(books.api, other, freezing(member, counter))).toEqual(refused('key-conflict'))
  expect(counter.runs).toBe(1)
})

it('keeps the keys of members apart', async () => {
  const [one, other] = [await richMember(), await richMember()]
  for (const member of [one, other]) {
    const command = { member, key: 'same', name: 'test', terms: '10' }
    expect(await runOnce(books.api, command, freezing(member, { runs: 0 }))).toEqual(ok({ runs: 1 }))
  }
  expect([await frozen(one), await frozen(other)]).toEqual([10n, 10n])
})

it('takes back what a refused command had done, and remembers the refusal', async () => {
  const member = await richMember()
  const command = { member, key: 'k1', name: 'test', terms: '10' }
  const refusing = async (inside: Parameters<typeof post>[0]) => {
    await post(inside, [request('USDT', member, usdt(10), 'gone')])
    return refused({ code: 'quota', left: '5' })
  }
  expect(await runOnce(books.api, command, refusing)).toEqual(refused({ code: 'quota', left: '5' }))
  expect(await frozen(member)).toBe(0n)
  expect(await runOnce(books.api, command, freezing(member, { runs: 0 }))).toEqual(
    refused({ code: 'quota', left: '5' }),
  )
  expect(await frozen(member)).toBe(0n)
})

it('forgets a command that failed, so that it can be tried again', async () => {
  const member = await richMember()
  const command = { member, key: 'k1', name: 'test', terms: '10' }
  const failing = async (inside: Parameters<typeof post>[0]) => {
    await post(inside, [request('USDT', member, usdt(10), 'gone')])
    throw new Error('the disk is full')
  }
  await expect(runOnce(books.api, command, failing)).rejects.toThrow('the disk is full')
  expect(await frozen(member)).toBe(0n)
  expect(await runOnce(books.api, command, freezing(member, { runs: 0 }))).toEqual(ok({ runs: 1 }))
})
