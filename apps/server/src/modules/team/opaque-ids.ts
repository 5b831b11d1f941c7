import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

const CIPHER = 'aes-128-ecb'
const BLOCK = 16

/** Names by which a member is told of others: nobody can read one, make one, or use one that somebody else was told. */
export type OpaqueIds = {
  idOf(viewer: bigint, member: bigint): string
  /** Null where this viewer was never told such an id. */
  memberOf(viewer: bigint, id: string): bigint | null
}

/**
 * The viewer's number and the member's, as one block under a cipher: the same each time, and without anything kept. Whoever
 * makes up an id, or brings another's, finds the own number in its first half with a chance of one in 2⁶⁴. There is only ever one
 * block, so the modes that chain blocks have nothing to add.
 */
export function createOpaqueIds(secret: string, purpose: string): OpaqueIds {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `lode: ${purpose}`, BLOCK))
  return {
    idOf(viewer, member) {
      const plain = Buffer.alloc(BLOCK)
      plain.writeBigInt64BE(viewer, 0)
      plain.writeBigInt64BE(member, BLOCK / 2)
      const cipher = createCipheriv(CIPHER, key, null).setAutoPadding(false)
      return Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64url')
    },
    memberOf(viewer, id) {
      const bytes = Buffer.from(id, 'base64url')
      // The last character has bits to spare: of the spellings that come to the same bytes one is the id.
      if (bytes.length !== BLOCK || bytes.toString('base64url') !== id) return null
      const decipher = createDecipheriv(CIPHER, key, null).setAutoPadding(false)
      const plain = Buffer.concat([decipher.update(bytes), decipher.final()])
      return plain.readBigInt64BE(0) === viewer ? plain.readBigInt64BE(BLOCK / 2) : null
    },
  }
}
