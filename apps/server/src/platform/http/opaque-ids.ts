import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

const CIPHER = 'aes-128-ecb'
const BLOCK = 16

/** Encrypted row numbers. Only the server can read or make one, and an id works only for the viewer it was made for. */
export type OpaqueIds = {
  encode(viewer: bigint, row: bigint): string
  /** Null if the id is not one that was made for this viewer. */
  decode(viewer: bigint, id: string): bigint | null
}

/**
 * Encrypts the viewer's id and the row number as one block. The result is always the same, and nothing is stored. An
 * id shown to another viewer decrypts to that viewer's id and is refused. A made-up id passes with a chance of one in
 * 2⁶⁴. There is only one block, so modes that chain blocks would add nothing.
 */
export function createOpaqueIds(secret: string, purpose: string): OpaqueIds {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `lode: ${purpose}`, BLOCK))
  return {
    encode(viewer, row) {
      const plain = Buffer.alloc(BLOCK)
      plain.writeBigInt64BE(viewer, 0)
      plain.writeBigInt64BE(row, BLOCK / 2)
      const cipher = createCipheriv(CIPHER, key, null).setAutoPadding(false)
      return Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64url')
    },
    decode(viewer, id) {
      const bytes = Buffer.from(id, 'base64url')
      // The last character has unused bits, so several spellings decode to the same bytes. Only the canonical one is
      // accepted.
      if (bytes.length !== BLOCK || bytes.toString('base64url') !== id) return null
      const decipher = createDecipheriv(CIPHER, key, null).setAutoPadding(false)
      const plain = Buffer.concat([decipher.update(bytes), decipher.final()])
      return plain.readBigInt64BE(0) === viewer ? plain.readBigInt64BE(BLOCK / 2) : null
    },
  }
}
