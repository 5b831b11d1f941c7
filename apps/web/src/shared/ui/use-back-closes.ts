import { useEffect, useRef } from 'react'

/** A place in the browser's history: how deep the page lies, as the router counts, and how many sheets lay above it there. */
type Place = { readonly page: number; readonly above: number }
type Opened = { readonly close: () => void; readonly above: number }

const opened: Opened[] = []
let place: Place | undefined

function placeNow(): Place {
  const { idx = 0, above = 0 } = (window.history.state ?? {}) as { idx?: number; above?: number }
  return { page: idx, above }
}

/**
 * While it is open, back closes it first: on a phone that is how one leaves what has come up. It lies in the history as a place
 * of its own, at the same address. What is closed otherwise leaves its place there, for stepping out of it at once would
 * race with a page that is opened in the same moment; the next one takes that place over, and back passes over it.
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
