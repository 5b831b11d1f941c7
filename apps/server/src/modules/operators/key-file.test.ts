import { describe, expect, it } from 'vitest'
import { createKeyFile, readKeyFile } from './key-file.ts'
import { isSignedBy } from './signature.ts'

const PASSPHRASE = 'correct horse battery'

async function opened(text: string, passphrase = PASSPHRASE) {
  const file = readKeyFile(text)
  if (!file.ok) throw new Error(file.error)
  return file.value.open(passphrase)
}

describe('an operator’s key file', { timeout: 60_000 }, () => {
  it('opens only with its passphrase, and signs with the key that it names', async () => {
    const { text, publicKey } = await createKeyFile('Alice', PASSPHRASE)
    const key = await opened(text)
    if (!key.ok) throw new Error(key.error)
    expect(key.value.publicKey).toBe(publicKey)
    const signature = key.value.sign('a decision')
    expect(isSignedBy(publicKey, 'a decision', signature)).toBe(true)
    expect(isSignedBy(publicKey, 'another', signature)).toBe(false)
    expect(await opened(text, 'correct horse batterz')).toMatchObject({ ok: false })
  })

  it('does not open if its name, key, salt, nonce or secret was replaced', async () => {
    const { text } = await createKeyFile('Alice', PASSPHRASE)
    const other = await createKeyFile('Bob', PASSPHRASE)
    const [mine, theirs] = [JSON.parse(text), JSON.parse(other.text)]
    const swapped = ['name', 'publicKey', 'scrypt', 'nonce', 'secret'].map((field) =>
      opened(JSON.stringify({ ...mine, [field]: theirs[field] })),
    )
    for (const attempt of await Promise.all(swapped)) expect(attempt).toMatchObject({ ok: false })
  })

  it('has no unencrypted secret, and its scrypt cost cannot be lowered', async () => {
    const { text } = await createKeyFile('Alice', PASSPHRASE)
    const file = JSON.parse(text)
    expect(Object.keys(file).sort()).toEqual(['name', 'nonce', 'publicKey', 'scrypt', 'secret', 'version'])
    expect(readKeyFile(JSON.stringify({ ...file, scrypt: { ...file.scrypt, N: 2 } })).ok).toBe(false)
    for (const nonsense of ['', '{}', 'null', text.slice(1)]) expect(readKeyFile(nonsense).ok).toBe(false)
  })
})
