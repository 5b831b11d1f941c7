import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Address, Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashOfLines, type JournalHigherFee, type JournalRelease, readJournal } from './journal.ts'
import { openJournalFile } from './journal-file.ts'

const run = promisify(execFile)

const VAULT: Address = '0x00000000000000000000000000000000000000AA'
const POOL = { chainId: 7, vault: VAULT }

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lode-journal-'))
  path = join(folder, 'signer.journal')
})
afterEach(() => rmSync(folder, { recursive: true }))

const hashOf = (number: number): Hex => `0x${String(number).padStart(64, '0')}`

const higherFee = (number: number): JournalHigherFee => ({
  at: '2026-11-01T10:00:00.000Z',
  release: '41',
  attempt: number,
  hash: hashOf(number),
  raw: '0x02',
  maxFee: '2000000000',
  maxPriorityFee: '1',
  kind: 'higherFee',
})

const release: JournalRelease = {
  ...higherFee(1),
  kind: 'payouts',
  payer: '0x00000000000000000000000000000000000000bb',
  nonce: '6',
  call: '0x1234',
  gas: '90000',
  burn: null,
  payouts: [
    {
      id: hashOf(9),
      number: '12',
      kind: 'transfer',
      member: '0x00000000000000000000000000000000000000cc',
      asset: 'USDT',
      amount: '10000000',
      fee: '1000000',
      feeBurned: '0',
      to: '0x00000000000000000000000000000000000000cc',
      requestedAt: '2026-11-01T09:00:00.000Z',
      planVersion: 1,
      level: 5,
      addressBoundAt: null,
      deviceSeenAt: null,
      paidFrom: null,
      purpose: null,
      decisionId: null,
      decision: null,
    },
  ],
}

async function write(...entries: (JournalRelease | JournalHigherFee)[]): Promise<void> {
  const file = await openJournalFile(path, POOL)
  for (const entry of entries) await file.append(entry)
  await file.close()
}

describe("the signer's journal", () => {
  it('keeps every release and every higher fee, and names the pool it belongs to', async () => {
    await write(release)
    await write(higherFee(2))
    const journal = await readJournal(path)
    expect(journal).toMatchObject({ chainId: 7, vault: VAULT, lineCount: 3 })
    expect(journal?.lines).toMatchObject([
      { ...release, line: 2 },
      { ...higherFee(2), line: 3 },
    ])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('does not exist before the signer begins it', async () => {
    expect(await readJournal(path)).toBeNull()
    await expect(openJournalFile(join(folder, 'not-mounted', 'signer.journal'), POOL)).rejects.toThrow(
      /cannot be written, so nothing is sent: ENOENT/,
    )
  })

  it('loses a last line that was not completely written, and nothing else', async () => {
    await write(release)
    const whole = readFileSync(path)
    appendFileSync(path, JSON.stringify(higherFee(2)).slice(0, 40))
    expect((await readJournal(path))?.lines).toHaveLength(1)
    const file = await openJournalFile(path, POOL)
    expect(file.has(hashOf(1))).toBe(true)
    expect(file.has(hashOf(2))).toBe(false)
    await file.close()
    expect(readFileSync(path)).toEqual(whole)
  })

  it('is begun again if its first line was not completely written', async () => {
    await write()
    const whole = readFileSync(path)
    writeFileSync(path, whole.subarray(0, 12))
    await write()
    expect(readFileSync(path)).toEqual(whole)
  })

  it.each([
    ['a line in the middle', 2, 'not a line', /line 2 of the signer's journal is damaged/],
    ['an amount', 2, JSON.stringify({ ...release, nonce: 'six' }), /line 2 of the signer's journal is damaged/],
    ['the first line', 1, '{"journal":2}', /line 1 of the signer's journal is damaged/],
  ])('is refused if %s is damaged', async (_what, number, text, message) => {
    await write(release, higherFee(2))
    const lines = readFileSync(path, 'utf8').split('\n')
    lines[number - 1] = text
    writeFileSync(path, lines.join('\n'))
    await expect(openJournalFile(path, POOL)).rejects.toThrow(message)
    expect(readFileSync(path, 'utf8')).toBe(lines.join('\n'))
  })

  it('is refused if it belongs to another vault or chain, or is another file', async () => {
    await write(release)
    const other = { ...POOL, vault: '0x00000000000000000000000000000000000000dd' as const }
    await expect(openJournalFile(path, other)).rejects.toThrow(`belongs to vault ${VAULT} on chain 7`)
    await expect(openJournalFile(path, { ...POOL, chainId: 8 })).rejects.toThrow(/on chain 7/)
    writeFileSync(path, 'a password without a line end')
    await expect(openJournalFile(path, POOL)).rejects.toThrow(/not a journal/)
    expect(readFileSync(path, 'utf8')).toBe('a password without a line end')
  })

  it('is not written if the disk is full, if another process writes to it, or if it was removed', async () => {
    await write(release)
    const whole = readFileSync(path)
    // The limit stands for a full disk: the operating system refuses to write beyond it.
    const script = `
      const { openJournalFile } = await import(${JSON.stringify(join(import.meta.dirname, 'journal-file.ts'))})
      const file = await openJournalFile(${JSON.stringify(path)}, ${JSON.stringify(POOL)})
      await file.append({ ...${JSON.stringify(higherFee(2))}, raw: '0x' + '00'.repeat(8192) })
        .then(() => console.log('written'), (error) => console.log(error.message))`
    const limited = `ulimit -f ${Math.ceil(whole.length / 1024) + 1}; exec "$0" --input-type=module --eval "$1"`
    const { stdout } = await run('bash', ['-c', limited, process.execPath, script])
    expect(stdout).toMatch(/cannot be written, so nothing is sent: EFBIG/)
    expect(readFileSync(path)).toEqual(whole)

    const file = await openJournalFile(path, POOL)
    appendFileSync(path, '\n')
    await expect(file.append(higherFee(2))).rejects.toThrow(/another process writes to it/)
    rmSync(path)
    await expect(file.append(higherFee(2))).rejects.toThrow(/the file was removed/)
    await file.close()
  })

  it('has a hash for any number of its lines', async () => {
    await write(release, higherFee(2))
    const bytes = readFileSync(path)
    const [first = '', second = ''] = bytes.toString().split('\n')
    const sha256 = (text: string) => createHash('sha256').update(text).digest()
    expect(hashOfLines(bytes, 0)).toEqual(sha256(''))
    expect(hashOfLines(bytes, 2)).toEqual(sha256(`${first}\n${second}\n`))
    expect(hashOfLines(bytes, 3)).toEqual(sha256(bytes.toString()))
    expect(hashOfLines(bytes, 4)).toBeNull()
  })
})
