import type { Asset } from '@lode/kernel'
import { useEffect, useRef, useState } from 'react'
import { call, type Failure } from '../../shared/api/index.ts'
import { csvFile } from '../../shared/csv/index.ts'
import { useHandOver } from '../../shared/handover/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { logCsv, logCsvName } from './log-csv.ts'
import { readWholeLog } from './read-whole-log.ts'
import type { LogFilters } from './use-log.ts'

export type CsvState =
  | { readonly at: 'idle' }
  | { readonly at: 'reading'; readonly lines: number }
  | { readonly at: 'failed'; readonly failure: Failure }
  /** The file was made and passed to the browser, to save or to share it. */
  | { readonly at: 'made'; readonly lines: number }

/** Reads the whole filtered log and saves it as a file. Leaving the page or changing the filter cancels it. */
export function useCsv(symbol: Asset, filters: LogFilters) {
  const t = useText()
  const [state, setState] = useState<CsvState>({ at: 'idle' })
  const { handed, hand, forget } = useHandOver()
  const reading = useRef<AbortController>(undefined)
  const requestKey = JSON.stringify([symbol, filters])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new request cancels the one before
  useEffect(() => {
    setState({ at: 'idle' })
    forget()
    return () => reading.current?.abort()
  }, [requestKey])

  async function start(): Promise<void> {
    reading.current?.abort()
    const controller = new AbortController()
    const { signal } = controller
    reading.current = controller
    setState({ at: 'reading', lines: 0 })
    forget()
    const request = { symbol, ...filters, limit: '100' }
    const log = await readWholeLog(
      (cursor) => call('wallet/log', cursor === null ? request : { ...request, cursor }, { quiet: true, signal }),
      (lines) => signal.aborted || setState({ at: 'reading', lines }),
    )
    if (signal.aborted) return
    if (!log.ok) return setState({ at: 'failed', failure: log.error })
    await hand(csvFile(logCsvName(symbol, filters, new Date()), logCsv(t, symbol, log.value)))
    if (!signal.aborted) setState({ at: 'made', lines: log.value.length })
  }

  function cancel(): void {
    reading.current?.abort()
    setState({ at: 'idle' })
  }

  return { state, handed, start, cancel }
}
