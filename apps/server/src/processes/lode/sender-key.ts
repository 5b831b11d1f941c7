import { createDecipheriv, pbkdf2Sync, scryptSync } from 'node:crypto'
import { statSync } from 'node:fs'
import { ok, type Result, refused } from '@lode/kernel'
import { type Hex, keccak256 } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod'
import { ExpectedFailure } from '../start-up.ts'
import { readPassphrase, readTextFile, tell } from './terminal.ts'

/**
 * The key file of an account on the chain: the funder, a guardian or the administrator. It is an Ethereum keystore
 * (version 3, as geth and Foundry write it), which a passphrase protects, or a text file with the bare key. The key is
 * used in this process and stored nowhere.
 */

const hex = z.string().regex(/^(0x)?([0-9a-f]{2})+$/i)
const cost = z.number().int().positive()

const keystoreSchema = z.object({
  version: z.literal(3),
  crypto: z
    .object({
      cipher: z.literal('aes-128-ctr'),
      cipherparams: z.object({ iv: z.string().regex(/^(0x)?[0-9a-f]{32}$/i) }),
      ciphertext: hex,
      mac: hex,
      kdf: z.enum(['scrypt', 'pbkdf2']),
      kdfparams: z.union([
        z.object({ n: cost.max(2 ** 20), r: cost.max(32), p: cost.max(16), dklen: z.literal(32), salt: hex }),
        z.object({ c: cost.max(10_000_000), prf: z.literal('hmac-sha256'), dklen: z.literal(32), salt: hex }),
      ]),
    })
    .refine(({ kdf, kdfparams }) => kdf === ('c' in kdfparams ? 'pbkdf2' : 'scrypt')),
})
type Keystore = z.output<typeof keystoreSchema>

/** Reads the file, and asks for its passphrase if it has one. */
export async function readSenderKey(path: string): Promise<PrivateKeyAccount> {
  const text = readTextFile(path).trim()
  if (!text.startsWith('{')) {
    const account = accountFrom(text.startsWith('0x') ? text : `0x${text}`)
    if (!account.ok) throw new ExpectedFailure(`${path}: ${account.error}`)
    const isOpen = (statSync(path).mode & 0o077) !== 0
    tell(
      `The key in ${path} has no passphrase: who reads the file has the key.${isOpen ? ` OTHER USERS OF THIS MACHINE MAY READ IT: run chmod 600 ${path}` : ''}`,
    )
    return account.value
  }
  const keystore = parseKeystore(text)
  const account = keystore.ok ? openKeystore(keystore.value, await readPassphrase(`Passphrase of ${path}: `)) : keystore
  if (!account.ok) throw new ExpectedFailure(`${path}: ${account.error}`)
  return account.value
}

export function parseKeystore(text: string): Result<Keystore, string> {
  try {
    const parsed = keystoreSchema.safeParse(JSON.parse(text))
    if (parsed.success) return ok(parsed.data)
  } catch {
    // It is not JSON.
  }
  return refused('This is not an Ethereum keystore (version 3).')
}

export function openKeystore({ crypto }: Keystore, passphrase: string): Result<PrivateKeyAccount, string> {
  const derived = deriveKey(crypto.kdfparams, passphrase)
  if (derived === null) return refused('Its scrypt parameters cannot be computed here. Write it again with r = 8.')
  const encrypted = bytes(crypto.ciphertext)
  const mac = keccak256(Buffer.concat([derived.subarray(16, 32), encrypted]))
  if (mac !== `0x${crypto.mac.replace(/^0x/, '').toLowerCase()}`)
    return refused('The passphrase is wrong, or the file was changed.')
  const decipher = createDecipheriv(crypto.cipher, derived.subarray(0, 16), bytes(crypto.cipherparams.iv))
  return accountFrom(`0x${Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('hex')}`)
}

/** Null if OpenSSL refuses the parameters, such as n = 262144 with r = 1. Wallets use r = 8. */
function deriveKey(parameters: Keystore['crypto']['kdfparams'], passphrase: string): Buffer | null {
  const salt = bytes(parameters.salt)
  if ('c' in parameters) return pbkdf2Sync(passphrase, salt, parameters.c, parameters.dklen, 'sha256')
  const { n: N, r, p, dklen } = parameters
  try {
    return scryptSync(passphrase, salt, dklen, { N, r, p, maxmem: 256 * N * r + 2 ** 20 })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function accountFrom(key: string): Result<PrivateKeyAccount, string> {
  if (/^0x[0-9a-f]{64}$/i.test(key))
    try {
      return ok(privateKeyToAccount(key as Hex))
    } catch {
      // The number is not a key of this curve.
    }
  return refused('This is not the key of an account.')
}

const bytes = (text: string): Buffer => Buffer.from(text.replace(/^0x/, ''), 'hex')
