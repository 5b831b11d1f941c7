/** How long to wait for `beforeprint`. Browsers that can print fire it at once. */
const PRINT_START_MS = 1_000

/** `unheard`: the browser did not fire `beforeprint`. The `print` of web views does nothing. `missing`: no `print`. */
export type PrintOutcome = 'began' | 'unheard' | 'missing'

type PrintingPage = Pick<Window, 'addEventListener' | 'removeEventListener'> & { print?: () => void }

/** Opens the browser's print view and returns what is known about it. */
export async function printPage(page: PrintingPage = window): Promise<PrintOutcome> {
  if (typeof page.print !== 'function') return 'missing'
  let onBeforePrint = () => {}
  const began = new Promise<PrintOutcome>((resolve) => {
    onBeforePrint = () => resolve('began')
  })
  page.addEventListener('beforeprint', onBeforePrint)
  try {
    page.print()
    return await Promise.race([
      began,
      new Promise<PrintOutcome>((resolve) => setTimeout(resolve, PRINT_START_MS, 'unheard')),
    ])
  } finally {
    page.removeEventListener('beforeprint', onBeforePrint)
  }
}
