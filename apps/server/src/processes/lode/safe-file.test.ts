import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress, pad } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatSafeBatch, writeSafeFile } from './safe-file.ts'

const batch = {
  chainId: 8453,
  name: 'Fund day 20775',
  description: 'approve, fundDividend',
  calls: [
    { to: getAddress(pad('0xa1', { size: 20 })), data: '0x095ea7b3' },
    { to: getAddress(pad('0xa2', { size: 20 })), data: '0x0badcafe' },
  ],
} as const

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lode-safe-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a file for the Safe wallet', () => {
  it('has the version, the chain as text, and each call with its data and no ether', () => {
    expect(formatSafeBatch(batch, 1_700_000_000_000)).toEqual({
      version: '1.0',
      chainId: '8453',
      createdAt: 1_700_000_000_000,
      meta: { name: 'Fund day 20775', description: 'approve, fundDividend' },
      transactions: [
        { to: batch.calls[0].to, value: '0', data: '0x095ea7b3', contractMethod: null, contractInputsValues: null },
        { to: batch.calls[1].to, value: '0', data: '0x0badcafe', contractMethod: null, contractInputsValues: null },
      ],
    })
  })

  it('is written once and never overwritten', () => {
    const file = join(folder, 'fund.json')
    expect(writeSafeFile(file, batch)).toMatchObject({ ok: true })
    const text = readFileSync(file, 'utf8')
    expect(JSON.parse(text)).toMatchObject({ chainId: '8453', transactions: [{}, {}] })
    expect(writeSafeFile(file, { ...batch, chainId: 1 })).toEqual({
      ok: false,
      error: `${file} exists already, and it is never replaced. Name another file.`,
    })
    expect(readFileSync(file, 'utf8')).toBe(text)
    const inNoFolder = join(folder, 'none', 'fund.json')
    expect(writeSafeFile(inNoFolder, batch)).toMatchObject({
      error: `${inNoFolder} cannot be written: its folder does not exist.`,
    })
  })
})
