import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes, scrypt } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'
import * as z from 'zod'
import { canonicalJson } from './canonical.ts'
import { operatorName } from './decision.ts'
import { type SecretKey, secretKeyFrom } from './signature.ts'

/**
 * The file of an operator's key. The secret is encrypted with AES-256-GCM, under a key that scrypt derives from the
 * passphrase. Each guess costs 128 MiB and about half a second. The other fields of the file are authenticated data: a
 * file with a changed name or public key does not open.
 */

const COST = { N: 2 ** 17, r: 8, p: 1 } as const
const CIPHER = 'aes-256-gcm'

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))

const envelope = z.strictObject({
  version: z.literal('lode operator key 1'),
  name: operatorName,
  publicKey: hex(32),
  scrypt: z.strictObject({ N: z.literal(COST.N), r: z.literal(COST.r), p: z.literal(COST.p), salt: hex(16) }),
  nonce: hex(12),
  secret: hex(32 + 16),
})
type Envelope = z.output<typeof envelope>

export const SHORTEST_PASSPHRASE = 12

export type KeyFile = {
  readonly name: string
  readonly publicKey: string
  open(passphrase: string): Promise<Result<SecretKey, string>>
}

/** Makes a new key and returns the text of its file. */
export async function newKeyFile(name: string, passphrase: string): Promise<{ text: string; publicKey: string }> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const publicKey = Buffer.from(x, 'base64url').toString('hex')
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const open = {
    version: 'lode operator key 1',
    name,
    publicKey,
    scrypt: { ...COST, salt: salt.toString('hex') },
    nonce: nonce.toString('hex'),
  } as const
  const cipher = createCipheriv(CIPHER, await stretch(passphrase, salt), nonce).setAAD(boundTo(open))
  const secret = [cipher.update(Buffer.from(d, 'base64url')), cipher.final(), cipher.getAuthTag()]
  const file = envelope.parse({ ...open, secret: Buffer.concat(secret).toString('hex') })
  return { text: `${JSON.stringify(file, null, 2)}\n`, publicKey }
}

export function readKeyFile(text: string): Result<KeyFile, string> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return refused('This is not the key of an operator.')
  }
  const file = envelope.safeParse(parsed)
  if (!file.success) return refused('This is not the key of an operator.')
  const { name, publicKey } = file.data
  return ok({ name, publicKey, open: (passphrase) => open(file.data, passphrase) })
}

async function open({ secret, ...rest }: Envelope, passphrase: string): Promise<Result<SecretKey, string>> {
  const sealed = Buffer.from(secret, 'hex')
  const key = await stretch(passphrase, Buffer.from(rest.scrypt.salt, 'hex'))
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(rest.nonce, 'hex'))
    .setAAD(boundTo(rest))
    .setAuthTag(sealed.subarray(32))
  try {
    const seed = Buffer.concat([decipher.update(sealed.subarray(0, 32)), decipher.final()])
    return ok(secretKeyFrom(seed, rest.publicKey))
  } catch {
    return refused('The passphrase is wrong, or the file was changed.')
  }
}

const boundTo = (rest: Omit<Envelope, 'secret'>): Buffer => Buffer.from(canonicalJson(rest), 'utf8')

const stretch = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same passphrase can have several Unicode spellings, depending on the keyboard.
    scrypt(passphrase.normalize('NFKC'), salt, 32, { ...COST, maxmem: 256 * 2 ** 20 }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
