import fc from 'fast-check'
import { sql } from 'kysely'
import { getAddress, toHex } from 'viem'
import { post } from '../post.ts'
import { Model, ModelRefusal } from './model.ts'
import { arbitraryDraws, buildBatch } from './random-batches.ts'
import type { TestLedger } from './test-ledger.ts'

/** Fills the ledger with every transaction type, with confirming lines and with ended lines. */
export async function fillLedger(ledger: TestLedger, seed: number, batches = 300): Promise<void> {
  const members = await ledger.members(4)
  const { rows } = await sql<{ id: bigint; account: Buffer }>`
    select id, account from lode.member where id = any(${members.map(String)}) order by id`.execute(ledger.owner)
  const registered = new Map(rows.map(({ id, account }) => [id, toHex(account)] as const))
  const addresses = [...registered.values(), '0x00000000000000000000000000000000000000ff'].map((each) =>
    getAddress(each),
  )
  const model = new Model(registered)
  const [sequence = []] = fc.sample(arbitraryDraws(batches), { numRuns: 1, seed })
  for (const draw of sequence) {
    const batch = buildBatch(draw, { members, addresses, model })
    try {
      model.post(draw.role, batch, draw.together)
    } catch (error) {
      if (error instanceof ModelRefusal) continue
      throw error
    }
    await post(ledger[draw.role], batch, { together: draw.together })
  }
}
