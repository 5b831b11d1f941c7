import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { type Address, type Hex, isAddressEqual, toHex } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import { keyProofFromRow, type VerifySignature } from '../../platform/chain/signature-verifier.ts'
import type { Database } from '../../platform/db/database.ts'
import { expiryOf, type MessageSite, readClaim } from '../identity/index.ts'

type AddressSignatureOptions = {
  readonly db: Database
  /** The site whose messages count. */
  readonly site: MessageSite
  readonly verifySignature: VerifySignature
  readonly metrics: AddressSignatureMetrics
  readonly log: Logger
}

type AddressSignatureMetrics = ReturnType<typeof createAddressSignatureMetrics>

export function createAddressSignatureMetrics(registry: Registry) {
  return {
    checks: new Counter({
      name: 'lode_output_address_signatures_total',
      help: 'Signatures of new output addresses that the signer has verified, by result: valid, invalid, or unavailable (no chain node answered)',
      labelNames: ['result'],
      registers: [registry],
    }),
  }
}

const MAX_PER_ROUND = 32

/**
 * The signer's own check of new output addresses, in a loop beside the payer: the api's word is not enough. It runs as
 * soon as an address is requested, which is 48 hours before the address is bound. So a contract wallet is asked while
 * it still has the owners who signed, and a forged request is canceled before it counts.
 */
export function startAddressSignatureChecks(
  options: AddressSignatureOptions,
  pollMs: number,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  async function loop(): Promise<void> {
    while (!signal.aborted) {
      await checkNewAddresses(options).catch((error) =>
        options.log.warn({ err: error }, 'the signatures of new output addresses could not be verified'),
      )
      await sleep(pollMs, undefined, { signal }).catch(() => {})
    }
  }
  const running = loop()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

type RequestRow = {
  member_id: bigint
  number: number
  account: Buffer
  proof_message: string | null
  proof_signature: Buffer | null
  address: Buffer
  asked_at: Date
  message: string
  signature: Buffer
}

/** Verifies the addresses that were not verified yet, and stores the results. Exported for tests. */
export async function checkNewAddresses(options: AddressSignatureOptions): Promise<void> {
  const { db, metrics, log } = options
  // In random order, so that wallets for which no node answers do not keep others waiting for ever.
  const { rows } = await sql<RequestRow>`
    select request.member_id, request.number, member.account, request.address, request.asked_at, request.message,
           request.signature, proof.message as proof_message, proof.signature as proof_signature
    from lode.output_address as request
    join lode.member on member.id = request.member_id
    left join lode.key_proof as proof on proof.member_id = request.member_id
    where request.message is not null and request.signature_valid is null and request.cancelled_at is null
    order by random() limit ${MAX_PER_ROUND}`.execute(db)
  await Promise.all(
    rows.map(async (row) => {
      const result = await verifyRequest(options, row)
      metrics.checks.inc({ result })
      if (result === 'unavailable') return
      const isValid = result === 'valid'
      if (!isValid)
        log.error(
          { member: String(row.member_id), number: row.number },
          'ALARM: an output address was requested without the signature of its member’s wallet',
        )
      await sql`select lode.record_address_check(${row.member_id}, ${row.number}, ${isValid})`.execute(db)
    }),
  )
}

async function verifyRequest(
  { site, verifySignature }: AddressSignatureOptions,
  row: RequestRow,
): Promise<'valid' | 'invalid' | 'unavailable'> {
  const account = addressFromColumn(row.account)
  if (!isClaimFor(site, row, account)) return 'invalid'
  const signature: Hex = toHex(row.signature)
  const keyProof = keyProofFromRow({ message: row.proof_message, signature: row.proof_signature })
  const verified = await verifySignature({ account, message: row.message, signature, keyProof })
  if (verified.ok) return 'valid'
  return verified.error === 'chain-unavailable' ? 'unavailable' : 'invalid'
}

/**
 * Whether the text asks for this address, for this member, at the time of the request. An older text does not count: the
 * member may have canceled that request since.
 */
function isClaimFor(site: MessageSite, { message, address, asked_at }: RequestRow, account: Address): boolean {
  const claim = readClaim(site, message)
  return (
    claim?.purpose.kind === 'output-address' &&
    isAddressEqual(claim.purpose.address, addressFromColumn(address)) &&
    isAddressEqual(claim.account, account) &&
    claim.issuedAt <= asked_at &&
    asked_at < expiryOf(claim)
  )
}
