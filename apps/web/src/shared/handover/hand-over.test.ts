import { describe, expect, it } from 'vitest'
import { handOver } from './hand-over.ts'

const file = new File(['Time,Amount'], 'lode-USDT-2026-11-16.csv', { type: 'text/csv' })

async function handed(isTouch: boolean, ends?: 'shared' | 'AbortError' | 'NotAllowedError', takesFiles = true) {
  const [shared, downloaded]: [unknown[], File[]] = [[], []]
  const browser = {
    share: async (data: ShareData) => {
      shared.push(data)
      if (ends !== 'shared') throw new DOMException('no', ends)
    },
    canShare: () => takesFiles,
  }
  const outcome = await handOver(file, {
    browser: ends ? browser : {},
    isTouch,
    download: (one) => void downloaded.push(one),
  })
  return { outcome, shared, downloaded }
}

describe('handing a file over', () => {
  it('opens the share sheet on a phone', async () => {
    expect(await handed(true, 'shared')).toEqual({ outcome: 'shared', shared: [{ files: [file] }], downloaded: [] })
  })

  it('ends without a download if the member closes the share sheet', async () => {
    expect(await handed(true, 'AbortError')).toMatchObject({ outcome: 'put-away', downloaded: [] })
  })

  it('falls back to a download if the share sheet fails, accepts no files or is missing', async () => {
    expect(await handed(true, 'NotAllowedError')).toMatchObject({ outcome: 'download', downloaded: [file] })
    expect(await handed(true, 'shared', false)).toEqual({ outcome: 'download', shared: [], downloaded: [file] })
    expect(await handed(true)).toMatchObject({ outcome: 'download', downloaded: [file] })
  })

  it('downloads the file on a desktop', async () => {
    expect(await handed(false, 'shared')).toEqual({ outcome: 'download', shared: [], downloaded: [file] })
  })
})
