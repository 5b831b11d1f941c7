import { createHash } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'

/** A Bitcoin transaction as far as Lode needs it: its id, as explorers write it, and what each output is worth. */
export type BitcoinTransaction = { readonly id: string; readonly outputs: readonly bigint[] }

/**
 * Reads a transaction from its bytes. The id is the hash of these bytes without signatures that are kept apart (BIP 141).
 * So the bytes of another transaction, or the same bytes with another amount, have another id.
 */
export function parseTransaction(bytes: Buffer): Result<BitcoinTransaction, string> {
  try {
    return ok(readTransaction(bytes))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return refused('not a Bitcoin transaction')
  }
}

function readTransaction(bytes: Buffer): BitcoinTransaction {
  const reader = new ByteReader(bytes)
  reader.skip(4)
  // A transaction with separate signatures has the two bytes 0 and 1 where others have the number of their inputs.
  const hasWitness = bytes.readUInt16BE(4) === 1
  if (hasWitness) reader.skip(2)
  const bodyStart = reader.position
  for (let inputs = reader.count(); inputs > 0; inputs -= 1) {
    reader.skip(36)
    reader.skip(reader.count() + 4)
  }
  const outputs: bigint[] = []
  for (let left = reader.count(); left > 0; left -= 1) {
    outputs.push(reader.uint64())
    reader.skip(reader.count())
  }
  const bodyEnd = reader.position
  if (!hasWitness && bodyEnd + 4 !== bytes.length) throw new RangeError('bytes are left over')
  const hashed = [bytes.subarray(0, 4), bytes.subarray(bodyStart, bodyEnd), bytes.subarray(-4)]
  return {
    id: sha256(sha256(Buffer.concat(hashed)))
      .reverse()
      .toString('hex'),
    outputs,
  }
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/** Reads numbers one after the other. Every step beyond the end is a RangeError. */
class ByteReader {
  position = 0
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  skip(length: number): void {
    this.position += length
    if (this.position > this.#bytes.length) throw new RangeError('the bytes end too early')
  }

  uint64(): bigint {
    const value = this.#bytes.readBigUInt64LE(this.position)
    this.skip(8)
    return value
  }

  /** A length in Bitcoin's format: one byte, or a marker and two or four bytes. No transaction needs eight. */
  count(): number {
    const first = this.#bytes.readUInt8(this.position)
    this.skip(1)
    if (first < 0xfd) return first
    if (first === 0xff) throw new RangeError('a length of eight bytes')
    const value = first === 0xfd ? this.#bytes.readUInt16LE(this.position) : this.#bytes.readUInt32LE(this.position)
    this.skip(first === 0xfd ? 2 : 4)
    return value
  }
}
