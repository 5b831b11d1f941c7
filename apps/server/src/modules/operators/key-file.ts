import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes, scrypt } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'
import * as z from 'zod'
import { canonicalJson } from './canonical-json.ts'
import { operatorName } from './decision.ts'
import { type SecretKey, secretKeyFrom } from './signature.ts'

/**
 * The file of an operator's key. The secret is encrypted with AES-256-GCM, under a key that scrypt derives from the
 * passphrase. Each guess costs 128 MiB and about half a second. The other fields of the file are authenticated data: a
 * file whose name or public key was changed does not open.
 */

const COST = { N: 2 ** 17, r: 8, p: 1 } as const
const CIPHER = 'aes-256-gcm'

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))

const keyFileSchema = z.strictObject({
  version: z.literal('lode operator key 1'),
  name: operatorName,
  publicKey: hex(32),
  scrypt: z.strictObject({ N: z.literal(COST.N), r: z.literal(COST.r), p: z.literal(COST.p), salt: hex(16) }),
  nonce: hex(12),
  secret: hex(32 + 16),
})
type KeyFileData = z.output<typeof keyFileSchema>

export const MIN_PASSPHRASE_LENGTH = 12

export type KeyFile = {
  readonly name: string
  readonly publicKey: string
  open(passphrase: string): Promise<Result<SecretKey, string>>
}

/** Makes a new key and returns the text of its file. */
export async function createKeyFile(name: string, passphrase: string): Promise<{ text: string; publicKey: string }> {
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
  const cipher = createCipheriv(CIPHER, await deriveKey(passphrase, salt), nonce).setAAD(authenticatedData(open))
  const secret = [cipher.update(Buffer.from(d, 'base64url')), cipher.final(), cipher.getAuthTag()]
  const file = keyFileSchema.parse({ ...open, secret: Buffer.concat(secret).toString('hex') })
  return { text: `${JSON.stringify(file, null, 2)}\n`, publicKey }
}

export function readKeyFile(text: string): Result<KeyFile, string> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return refused('This is not the key of an operator.')
  }
  const file = keyFileSchema.safeParse(parsed)
  if (!file.success) return refused('This is not the key of an operator.')
  const { name, publicKey } = file.data
  return ok({ name, publicKey, open: (passphrase) => decryptKey(file.data, passphrase) })
}

async function decryptKey({ secret, ...rest }: KeyFileData, passphrase: string): Promise<Result<SecretKey, string>> {
  const encrypted = Buffer.from(secret, 'hex')
  const key = await deriveKey(passphrase, Buffer.from(rest.scrypt.salt, 'hex'))
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(rest.nonce, 'hex'))
    .setAAD(authenticatedData(rest))
    .setAuthTag(encrypted.subarray(32))
  try {
    const seed = Buffer.concat([decipher.update(encrypted.subarray(0, 32)), decipher.final()])
    return ok(secretKeyFrom(seed, rest.publicKey))
  } catch {
    return refused('The passphrase is wrong, or the file was changed.')
  }
}

const authenticatedData = (rest: Omit<KeyFileData, 'secret'>): Buffer => Buffer.from(canonicalJson(rest), 'utf8')

const deriveKey = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same passphrase can have several Unicode spellings, depending on the keyboard.
    scrypt(passphrase.normalize('NFKC'), salt, 32, { ...COST, maxmem: 256 * 2 ** 20 }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
