/** Hands the browser a file to keep. It does not tell whether it did: web views of wallets ignore such downloads. */
export function downloadFile(file: File): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = file.name
  link.click()
  // Some browsers begin to read only after this turn is over.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
