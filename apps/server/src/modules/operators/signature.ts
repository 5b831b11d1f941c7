import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'

/** Ed25519 signatures over the bytes of a text. A public key is 32 bytes, written as 64 hexadecimal digits. */

const jwk = { kty: 'OKP', crv: 'Ed25519' } as const

export type SecretKey = { readonly publicKey: string; sign(text: string): Buffer }

export function secretKeyFrom(seed: Buffer, publicKey: string): SecretKey {
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  const key = createPrivateKey({ key: { ...jwk, d: seed.toString('base64url'), x }, format: 'jwk' })
  return { publicKey: publicKeyOf(key), sign: (text) => sign(null, Buffer.from(text, 'utf8'), key) }
}

/** Derives the public key from the secret key, so that a wrong public key in the file has no effect. */
function publicKeyOf(secret: KeyObject): string {
  const { x = '' } = createPublicKey(secret).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('hex')
}

/**
 * A cache of verification results, by the digest of key, signature and text. If someone fills the database with wrong
 * signatures, none of them is verified again while its result is among the newest MAX_RESULTS.
 */
const cachedResults = new Map<string, boolean>()
const MAX_RESULTS = 50_000

export function isSignedBy(publicKey: string, text: string, signature: Buffer): boolean {
  const cacheKey = hash('sha256', `${publicKey}:${signature.toString('hex')}:${text}`, 'base64')
  const cached = cachedResults.get(cacheKey)
  if (cached !== undefined) return cached
  const isValid = verifySignature(publicKey, text, signature)
  cachedResults.set(cacheKey, isValid)
  // A Map iterates in insertion order, so the oldest result comes first.
  for (const oldest of cachedResults.keys()) {
    if (cachedResults.size <= MAX_RESULTS) break
    cachedResults.delete(oldest)
  }
  return isValid
}

function verifySignature(publicKey: string, text: string, signature: Buffer): boolean {
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  try {
    const key = createPublicKey({ key: { ...jwk, x }, format: 'jwk' })
    return verify(null, Buffer.from(text, 'utf8'), key, signature)
  } catch {
    // Not every sequence of 32 bytes is a valid key.
    return false
  }
}
