import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { ok, type Result } from '@lode/kernel'
import type { Hex } from 'viem'
import {
  ceremonyQuestion,
  type Decided,
  type Operator,
  type Pool,
  prepare,
  presentChain,
  type Question,
  type SecretKey,
  sign,
} from '../modules/operators/index.ts'
import type { Database } from '../platform/db/database.ts'

export type TestOperator = SecretKey & { readonly operator: Operator }

/** An operator's key without a key file. */
export function testOperator(name: string): TestOperator {
  const { privateKey } = generateKeyPairSync('ed25519')
  const publicKey = Buffer.from(privateKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')
  return {
    publicKey,
    sign: (text) => signBytes(null, Buffer.from(text), privateKey),
    operator: { key: publicKey, name },
  }
}

type AlsoDo = (inside: Database, decided: Decided) => Promise<Result<null, string>>

/** Signs as one operator would by the command line. Returns the number of signatures, or the refusal in words. */
export async function signAs(
  owner: Database,
  pool: Pool,
  question: Question,
  key: TestOperator,
  alsoDo: AlsoDo = async () => ok(null),
): Promise<number | string> {
  const prepared = await prepare(owner, pool, question)
  if (!prepared.ok) return prepared.error
  const signed = await sign(owner, pool, { question, prepared: prepared.value, key }, alsoDo)
  return signed.ok ? signed.value : signed.error
}

/** The operators sign in order. A refusal throws. */
export async function decideBy(
  owner: Database,
  pool: Pool,
  question: Question,
  by: readonly TestOperator[],
  alsoDo?: AlsoDo,
): Promise<void> {
  for (const [index, key] of by.entries()) {
    const signed = await signAs(owner, pool, question, key, alsoDo)
    if (signed !== index + 1) throw new Error(String(signed))
  }
}

/** Two operators, and the hash of their ceremony. */
export async function holdCeremony(
  owner: Database,
  pool: Pool,
): Promise<{ alice: TestOperator; bob: TestOperator; ceremony: Hex }> {
  const [alice, bob] = [testOperator('alice'), testOperator('bob')]
  await decideBy(owner, pool, ceremonyQuestion([alice.operator, bob.operator]), [alice, bob])
  const chain = await presentChain(owner, pool)
  if (!chain.ok || !chain.value) throw new Error('there is no chain')
  return { alice, bob, ceremony: `0x${chain.value.ceremony}` }
}
