import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { collectStderr } from '../../testing/run-lode.ts'
import { openKeystore, parseKeystore, readSenderKey } from './sender-key.ts'

/** The first is the example of the Web3 Secret Storage definition. The library ox wrote the second. */
const PASSPHRASE = 'testpassword'
const OWNER = privateKeyToAddress('0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d')
const pbkdf2 = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262_144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}
const scrypt = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: '643fe2fae9b78bbfe3dd5ccfc0f5588941f054b5c4832a6a880c923f1594ee49',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 8_192,
      p: 8,
      r: 1,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '8424b23693b3492c074e9dd6366507739725640a62f1f41565b7b2c5f8db6253',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}

const withCrypto = (change: object) => ({ ...pbkdf2, crypto: { ...pbkdf2.crypto, ...change } })

function open(file: object, passphrase: string): string {
  const keystore = parseKeystore(JSON.stringify(file))
  const account = keystore.ok ? openKeystore(keystore.value, passphrase) : keystore
  return account.ok ? account.value.address : account.error
}

describe('a key file', () => {
  it.each(['0x', '', ' 0X'])('that is the key itself is refused, and the key is not repeated (%j)', async (prefix) => {
    const key = 'aB'.repeat(32)
    const refusal = await readSenderKey(`${prefix}${key}`).catch((error: Error) => error.message)
    expect(refusal).toContain('looks like a private key')
    expect(refusal).not.toContain(key)
  })

  it('with a bare key is read, and a warning says if others may read it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lode-key-'))
    const file = join(folder, 'key')
    writeFileSync(file, `${'ab'.repeat(32)}\n`, { mode: 0o600 })
    const told = collectStderr()
    try {
      const own = await readSenderKey(file)
      expect(told.text()).not.toContain('chmod')
      chmodSync(file, 0o644)
      expect((await readSenderKey(file)).address).toBe(own.address)
      expect(told.text()).toContain(`run chmod 600 ${file}`)
    } finally {
      told.end()
      rmSync(folder, { recursive: true })
    }
  })
})

describe('an Ethereum keystore', () => {
  it.each([
    ['pbkdf2', pbkdf2],
    ['scrypt', scrypt],
  ])('with %s opens with its passphrase only', (_kdf, file) => {
    expect(open(file, PASSPHRASE)).toBe(OWNER)
    expect(open(file, 'Testpassword')).toBe('The passphrase is wrong, or the file was changed.')
  })

  it('that was changed does not open', () => {
    const ciphertext = `00${pbkdf2.crypto.ciphertext.slice(2)}`
    expect(open({ ...pbkdf2, crypto: { ...pbkdf2.crypto, ciphertext } }, PASSPHRASE)).toContain('was changed')
  })

  it('with parameters that OpenSSL does not compute is told so', () => {
    const kdfparams = { ...scrypt.crypto.kdfparams, n: 262_144 }
    expect(open({ ...scrypt, crypto: { ...scrypt.crypto, kdfparams } }, PASSPHRASE)).toContain('cannot be computed')
  })

  it.each([
    ['of another version', { ...pbkdf2, version: 1 }],
    ['of an operator', { version: 'lode operator key 1' }],
    ['with an initial vector of another length', withCrypto({ cipherparams: { iv: '00'.repeat(12) } })],
    ['that names another kdf than its parameters', withCrypto({ kdf: 'scrypt' })],
    ['without a salt', { ...pbkdf2, crypto: { ...pbkdf2.crypto, kdfparams: {} } }],
  ])('%s is refused', (_what, file) => {
    expect(open(file, PASSPHRASE)).toBe('This is not an Ethereum keystore (version 3).')
  })
})
