import { useSyncExternalStore } from 'react'

/** The same width as in the style sheets' media queries. */
const WIDE = '(min-width: 1024px)'

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** True in a window that has room for navigation at the side and two columns. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches)
