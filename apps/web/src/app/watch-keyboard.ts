/** A smaller difference is the browser's own bars and no keyboard. */
const MIN_KEYBOARD_PX = 80

type Sizes = { readonly height: number; readonly offsetTop: number; readonly scale: number }

/**
 * How much of the window's bottom the on-screen keyboard covers. iOS covers the page; most other browsers make the
 * window smaller, and then nothing is covered. A member who has zoomed in also sees only a part of the page.
 */
export function coveredHeight(windowHeight: number, { height, offsetTop, scale }: Sizes): number {
  const covered = Math.round(windowHeight - height - offsetTop)
  return scale <= 1.01 && covered >= MIN_KEYBOARD_PX ? covered : 0
}

/** Keeps `--keyboard` up to date: sheets and the page end above the keyboard, so that it covers no button. */
export function watchKeyboard(): void {
  const viewport = window.visualViewport
  if (!viewport) return
  const update = () => {
    const covered = coveredHeight(window.innerHeight, viewport)
    document.documentElement.style.setProperty('--keyboard', `${covered}px`)
    if (covered > 0) document.activeElement?.scrollIntoView({ block: 'nearest' })
  }
  viewport.addEventListener('resize', update)
  viewport.addEventListener('scroll', update)
}
