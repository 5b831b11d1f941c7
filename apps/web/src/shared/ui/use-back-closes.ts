import { useEffect, useRef } from 'react'

/**
 * An entry of the browser's history: the page's depth by the router's count, and how many sheets were open above it.
 */
type Place = { readonly page: number; readonly above: number }
type Opened = { readonly close: () => void; readonly above: number }

const opened: Opened[] = []
let place: Place | undefined

function placeNow(): Place {
  const { idx = 0, above = 0 } = (window.history.state ?? {}) as { idx?: number; above?: number }
  return { page: idx, above }
}

/**
 * While the sheet is open, going back closes it first, as phone users expect. The sheet has its own history entry at
 * the same address. If it is closed in another way, its entry stays: removing it at once would race with a page that is
 * opened in the same moment. The next sheet reuses that entry, and going back skips it.
 */
export function useBackCloses(open: boolean, onClose: () => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (!open) return
    if (place === undefined) window.addEventListener('popstate', stepped)
    const { above } = placeNow()
    const isLeft = above > (opened.at(-1)?.above ?? 0)
    if (!isLeft) window.history.pushState({ ...window.history.state, above: above + 1 }, '')
    place = placeNow()
    const mine = { close: () => close.current(), above: place.above }
    opened.push(mine)
    return () => void opened.splice(opened.indexOf(mine), 1)
  }, [open])
}

function stepped(): void {
  const left = place ?? placeNow()
  const now = placeNow()
  place = now
  const isSamePage = now.page === left.page
  const uncovered = opened.filter(({ above }) => !isSamePage || above > now.above)
  for (const { close } of uncovered.reverse()) close()
  if (isSamePage && uncovered.length === 0 && now.above < left.above) window.history.back()
}
