import { useEffect, useRef } from 'react'

/**
 * An entry of the browser's history: the page's depth as the router counts it, and the number of sheet entries above
 * that page.
 */
type HistoryEntry = { readonly page: number; readonly above: number }
type OpenSheet = { readonly close: () => void; readonly above: number }

const openSheets: OpenSheet[] = []
let lastEntry: HistoryEntry | undefined

function readEntry(): HistoryEntry {
  const { idx = 0, above = 0 } = (window.history.state ?? {}) as { idx?: number; above?: number }
  return { page: idx, above }
}

/**
 * While the sheet is open, going back closes it first, as phone users expect. The sheet has its own history entry at
 * the same address. If the sheet is closed in another way, its entry stays: removing it at once would race with a page
 * that is opened in the same moment. The next sheet reuses that entry, and going back skips it.
 */
export function useCloseOnBack(open: boolean, onClose: () => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (!open) return
    if (lastEntry === undefined) window.addEventListener('popstate', onPopState)
    const { above } = readEntry()
    const canReuseEntry = above > (openSheets.at(-1)?.above ?? 0)
    if (!canReuseEntry) window.history.pushState({ ...window.history.state, above: above + 1 }, '')
    lastEntry = readEntry()
    const mine = { close: () => close.current(), above: lastEntry.above }
    openSheets.push(mine)
    return () => void openSheets.splice(openSheets.indexOf(mine), 1)
  }, [open])
}

function onPopState(): void {
  const previous = lastEntry ?? readEntry()
  const entry = readEntry()
  lastEntry = entry
  const isSamePage = entry.page === previous.page
  const sheetsToClose = openSheets.filter(({ above }) => !isSamePage || above > entry.above)
  for (const { close } of sheetsToClose.reverse()) close()
  if (isSamePage && sheetsToClose.length === 0 && entry.above < previous.above) window.history.back()
}
