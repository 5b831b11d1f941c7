/**
 * Copies by selecting the text in a field that nobody sees and running the browser's own copy command. It works in web views in
 * which the Clipboard API does not. The focus and the selection are put back afterwards.
 */
export function copyBySelection(text: string): boolean {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const selection = document.getSelection()
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null
  const field = document.createElement('textarea')
  field.value = text
  // Without a keyboard that opens, a page that scrolls, or a zoom, which iOS does for type below 16 pixels.
  field.readOnly = true
  field.style.cssText = 'position:fixed;inset:0 auto auto 0;width:1px;height:1px;opacity:0;font-size:16px'
  // An open dialog pulls the focus back from whatever lies outside it, so the field goes inside.
  const place = focused?.closest('[role=dialog], [role=alertdialog]') ?? document.body
  place.append(field)
  let isCopied = false
  try {
    field.focus({ preventScroll: true })
    field.setSelectionRange(0, text.length)
    isCopied = document.execCommand('copy')
  } catch {
    // Some web views throw instead of answering false.
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
