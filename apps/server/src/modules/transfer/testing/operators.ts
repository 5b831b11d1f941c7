import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import type { Database } from '../../../platform/db/database.ts'
import { testStack } from '../../../testing/stack.ts'
import { ceremonyQuestion, type Pool, prepare, type Question, sign } from '../../operators/index.ts'

/** The pool of an api on a test's own database. */
export const testPool = (): Pool => ({
  pool: getAddress('0x0000000000000000000000000000000000001001'),
  chainId: testStack().chainId,
})

export type TestOperator = {
  readonly operator: { readonly key: string; readonly name: string }
  readonly publicKey: string
  sign(text: string): Buffer
}

function newOperator(name: string): TestOperator {
  const { privateKey } = generateKeyPairSync('ed25519')
  const publicKey = Buffer.from(privateKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')
  return {
    operator: { key: publicKey, name },
    publicKey,
    sign: (text) => signBytes(null, Buffer.from(text), privateKey),
  }
}

/** Two operators and the hash of their ceremony. */
export async function appoint(owner: Database): Promise<{ alice: TestOperator; bob: TestOperator; ceremony: Hex }> {
  const [alice, bob] = [newOperator('alice'), newOperator('bob')]
  await decide(owner, ceremonyQuestion([alice.operator, bob.operator]), [alice, bob])
  const { rows } = await sql<{ hash: Buffer }>`select hash from lode.operator_link`.execute(owner)
  return { alice, bob, ceremony: `0x${rows[0]?.hash.toString('hex')}` }
}

/** As they would by the command line, one after the other. */
export async function decide(owner: Database, question: Question, by: readonly TestOperator[]): Promise<void> {
  for (const key of by) {
    const prepared = await prepare(owner, testPool(), question)
    if (!prepared.ok) throw new Error(prepared.error)
    const signed = await sign(owner, testPool(), { question, prepared: prepared.value, key }, async () => ok(null))
    if (!signed.ok) throw new Error(signed.error)
  }
}
