import pg from 'pg'
import { callNode, makeFinal } from './chain.ts'
import type { BrowserStack } from './stack.ts'

/** Moves both clocks: the database's, which the product uses, and the chain's with its next block. */
export async function moveClock(stack: BrowserStack, seconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: stack.ownerUrl })
  await client.connect()
  try {
    await client.query('update lode.clock set shift = shift + make_interval(secs => $1)', [seconds])
  } finally {
    await client.end()
  }
  await callNode(stack, 'evm_increaseTime', [seconds])
  await makeFinal(stack)
}
