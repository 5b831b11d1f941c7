import { describe, expect, it } from 'vitest'
import { newKeyFile, readKeyFile } from './key-file.ts'
import { isSignedBy } from './signature.ts'

const PASSPHRASE = 'correct horse battery'

async function opened(text: string, passphrase = PASSPHRASE) {
  const file = readKeyFile(text)
  if (!file.ok) throw new Error(file.error)
  return file.value.open(passphrase)
}

describe('an operator’s key file', { timeout: 60_000 }, () => {
  it('opens with its passphrase alone, and signs as the key that it names', async () => {
    const { text, publicKey } = await newKeyFile('Alice', PASSPHRASE)
    const key = await opened(text)
    if (!key.ok) throw new Error(key.error)
    expect(key.value.publicKey).toBe(publicKey)
    const signature = key.value.sign('a decision')
    expect(isSignedBy(publicKey, 'a decision', signature)).toBe(true)
    expect(isSignedBy(publicKey, 'another', signature)).toBe(false)
    expect(await opened(text, 'correct horse batterz')).toMatchObject({ ok: false })
  })

  it('does not open with another name, key, salt, nonce or secret in it', async () => {
    const { text } = await newKeyFile('Alice', PASSPHRASE)
    const other = await newKeyFile('Bob', PASSPHRASE)
    const [mine, theirs] = [JSON.parse(text), JSON.parse(other.text)]
    const swapped = ['name', 'publicKey', 'scrypt', 'nonce', 'secret'].map((field) =>
      opened(JSON.stringify({ ...mine, [field]: theirs[field] })),
    )
    for (const attempt of await Promise.all(swapped)) expect(attempt).toMatchObject({ ok: false })
  })

  it('holds nothing of the secret in the open, and cannot be made cheaper to guess', async () => {
    const { text } = await newKeyFile('Alice', PASSPHRASE)
    const file = JSON.parse(text)
    expect(Object.keys(file).sort()).toEqual(['name', 'nonce', 'publicKey', 'scrypt', 'secret', 'version'])
    expect(readKeyFile(JSON.stringify({ ...file, scrypt: { ...file.scrypt, N: 2 } })).ok).toBe(false)
    for (const nonsense of ['', '{}', 'null', text.slice(1)]) expect(readKeyFile(nonsense).ok).toBe(false)
  })
})
