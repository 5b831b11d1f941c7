import fc from 'fast-check'
import { sql } from 'kysely'
import { getAddress, toHex } from 'viem'
import { post } from '../post.ts'
import type { Books } from './books.ts'
import { Model, Refused } from './model.ts'
import { batchOf, draws } from './random-batches.ts'

/** Fills the ledger with every transaction type, with confirming lines and with ended lines. */
export async function fillBooks(books: Books, seed: number, batches = 300): Promise<void> {
  const members = await books.members(4)
  const { rows } = await sql<{ id: bigint; account: Buffer }>`
    select id, account from lode.member where id = any(${members.map(String)}) order by id`.execute(books.owner)
  const registered = new Map(rows.map(({ id, account }) => [id, toHex(account)] as const))
  const addresses = [...registered.values(), '0x00000000000000000000000000000000000000ff'].map((each) =>
    getAddress(each),
  )
  const model = new Model(registered)
  const [sequence = []] = fc.sample(draws(batches), { numRuns: 1, seed })
  for (const draw of sequence) {
    const batch = batchOf(draw, { members, addresses, model })
    try {
      model.post(draw.role, batch, draw.together)
    } catch (error) {
      if (error instanceof Refused) continue
      throw error
    }
    await post(books[draw.role], batch, { together: draw.together })
  }
}
