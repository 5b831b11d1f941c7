/**
 * Copies with the browser's copy command, from a hidden field in which the text is selected. This works in web views
 * without the Clipboard API. Restores focus and selection afterwards. False if nothing was copied.
 */
export function copyBySelection(text: string): boolean {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const selection = document.getSelection()
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null
  const field = document.createElement('textarea')
  field.value = text
  // Otherwise a keyboard would open, the page would scroll, and iOS would zoom, which it does for text below 16 pixels.
  field.readOnly = true
  field.style.cssText = 'position:fixed;inset:0 auto auto 0;width:1px;height:1px;opacity:0;font-size:16px'
  // An open dialog takes the focus back from elements outside it, so the field is placed inside the dialog.
  const container = focused?.closest('[role=dialog], [role=alertdialog]') ?? document.body
  container.append(field)
  let isCopied = false
  try {
    field.focus({ preventScroll: true })
    field.setSelectionRange(0, text.length)
    isCopied = document.execCommand('copy')
  } catch {
    // Some web views throw instead of returning false.
  } finally {
    field.remove()
    focused?.focus({ preventScroll: true })
    if (selection && range) {
      selection.removeAllRanges()
      selection.addRange(range)
    }
  }
  return isCopied
}
