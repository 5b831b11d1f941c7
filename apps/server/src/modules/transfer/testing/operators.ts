import { getAddress } from 'viem'
import type { Database } from '../../../platform/db/database.ts'
import { signAs, type TestOperator } from '../../../testing/operators.ts'
import { testStack } from '../../../testing/stack.ts'
import type { Pool, Question } from '../../operators/index.ts'

/** The pool of an api on a test's own database. */
export const testPool = (): Pool => ({
  pool: getAddress('0x0000000000000000000000000000000000001001'),
  chainId: testStack().chainId,
})

/** One after the other, upon what others may have signed before. */
export async function decide(owner: Database, question: Question, by: readonly TestOperator[]): Promise<void> {
  for (const key of by) {
    const signed = await signAs(owner, testPool(), question, key)
    if (typeof signed === 'string') throw new Error(signed)
  }
}
