import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { ok, type Result } from '@lode/kernel'
import type { Hex } from 'viem'
import {
  type Operator,
  type PoolIdentity,
  type Proposal,
  prepareDecision,
  proposeCeremony,
  readValidChain,
  type SecretKey,
  type SignedDecision,
  signDecision,
} from '../modules/operators/index.ts'
import type { Database } from '../platform/db/database.ts'

export type TestOperator = SecretKey & { readonly operator: Operator }

/** An operator's key without a key file. */
export function createTestOperator(name: string): TestOperator {
  const { privateKey } = generateKeyPairSync('ed25519')
  const publicKey = Buffer.from(privateKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')
  return {
    publicKey,
    sign: (text) => signBytes(null, Buffer.from(text), privateKey),
    operator: { key: publicKey, name },
  }
}

type OnSigned = (trx: Database, decided: SignedDecision) => Promise<Result<null, string>>

/** Signs as one operator would by the command line. Returns the number of signatures, or the refusal in words. */
export async function signAs(
  owner: Database,
  pool: PoolIdentity,
  proposal: Proposal,
  key: TestOperator,
  onSigned: OnSigned = async () => ok(null),
): Promise<number | string> {
  const { publicKey } = key
  const first = await prepareDecision(owner, pool, proposal, { publicKey })
  // Tests begin several decisions of a kind with one key, as an operator does with --new.
  const beginsAnother = !first.ok && first.error.includes('You have begun')
  const prepared = beginsAnother ? await prepareDecision(owner, pool, proposal, { publicKey, beginsAnother }) : first
  if (!prepared.ok) return prepared.error
  const signed = await signDecision(owner, pool, { proposal, prepared: prepared.value, key, beginsAnother }, onSigned)
  return signed.ok ? signed.value : signed.error
}

/** The operators sign in order. A refusal throws. */
export async function signInTurn(
  owner: Database,
  pool: PoolIdentity,
  proposal: Proposal,
  signers: readonly TestOperator[],
  onSigned?: OnSigned,
): Promise<void> {
  for (const [index, key] of signers.entries()) {
    const signed = await signAs(owner, pool, proposal, key, onSigned)
    if (signed !== index + 1) throw new Error(String(signed))
  }
}

/** Two operators, and the hash of their ceremony. */
export async function holdCeremony(
  owner: Database,
  pool: PoolIdentity,
): Promise<{ alice: TestOperator; bob: TestOperator; ceremony: Hex }> {
  const [alice, bob] = [createTestOperator('alice'), createTestOperator('bob')]
  await signInTurn(owner, pool, proposeCeremony([alice.operator, bob.operator]), [alice, bob])
  const chain = await readValidChain(owner, pool)
  if (!chain.ok || !chain.value) throw new Error('there is no chain')
  return { alice, bob, ceremony: `0x${chain.value.ceremony}` }
}
