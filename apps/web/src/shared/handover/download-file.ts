/**
 * Asks the browser to download a file. The browser does not report whether it did: wallets' web views ignore downloads.
 */
export function downloadFile(file: File): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = file.name
  link.click()
  // Some browsers start to read the URL only after this task has ended.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
