/** Hands the browser a file to keep. */
export function downloadFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers begin to read only after this turn is over.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

export const downloadText = (name: string, text: string, type: string): void =>
  downloadFile(name, new Blob([text], { type }))
