/** Focuses the start of the visible page. Views that are kept in the background have a `main` too. */
export function focusShownMain(): void {
  const mains = Array.from(document.querySelectorAll('main'))
  const shown = mains.find((main) => main.offsetParent !== null)
  if (!shown) return
  shown.dataset.focusedByCode = ''
  // When a wallet's window is in front, the page loses the focus too, but this element is still the active one.
  shown.onblur = () => {
    if (document.activeElement !== shown) delete shown.dataset.focusedByCode
  }
  shown.focus({ preventScroll: true })
}
