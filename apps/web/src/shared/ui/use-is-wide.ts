import { useSyncExternalStore } from 'react'

/** The same width as in the style sheets' media queries. */
const wide = matchMedia('(min-width: 1024px)')

function subscribe(onChange: () => void): () => void {
  wide.addEventListener('change', onChange)
  return () => wide.removeEventListener('change', onChange)
}

/** True in a window that has room for navigation at the side and two columns. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches)
