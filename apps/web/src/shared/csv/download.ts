/** Hands the browser a file to keep. */
export function downloadText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers begin to read only after this turn is over.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
