/** Focuses the start of the visible page. Views that are kept in the background have a `main` too. */
export function focusShownMain(): void {
  const mains = Array.from(document.querySelectorAll('main'))
  const shown = mains.find((main) => main.offsetParent !== null)
  if (!shown) return
  shown.dataset.focusedByCode = ''
  // The element also loses the focus when a wallet's window comes to the front, but it stays the active element then.
  shown.onblur = () => {
    if (document.activeElement !== shown) delete shown.dataset.focusedByCode
  }
  shown.focus({ preventScroll: true })
}
