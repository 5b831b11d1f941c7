import { afterAll, beforeAll, expect, it } from 'vitest'
import { post } from './post.ts'
import { type Books, newLog, openBooks, usdt } from './testing/books.ts'

let books: Books
beforeAll(async () => {
  books = await openBooks()
})
afterAll(() => books.close())

it('posts a deposit', async () => {
  const [member = 0n] = await books.members(1)
  const key = newLog()
  const deposit = {
    type: 'deposit',
    key,
    moves: [
      {
        asset: 'USDT',
        amount: usdt(100),
        from: 'custody:vault',
        to: { kind: 'available', member, line: { type: 'transferIn', operation: key } },
      },
    ],
  } as const
  expect(await post(books.worker, [deposit])).toEqual([{ outcome: 'posted', transaction: 1n }])
  expect(await post(books.worker, [deposit])).toEqual([{ outcome: 'repeated', transaction: 1n }])
})
