/** How long a browser may take to start printing. Browsers that print fire the event at once. */
const PRINT_MS = 1_000

/** `unheard`: the browser did not report that it started. Web views have a `print` that does nothing. */
export type Printing = 'began' | 'unheard' | 'missing'

type PrintingPage = Pick<Window, 'addEventListener' | 'removeEventListener'> & { print?: () => void }

/** Opens the browser's print view and returns what is known about it. */
export async function printPage(page: PrintingPage = window): Promise<Printing> {
  if (typeof page.print !== 'function') return 'missing'
  let hear = () => {}
  const began = new Promise<Printing>((resolve) => {
    hear = () => resolve('began')
  })
  page.addEventListener('beforeprint', hear)
  try {
    page.print()
    return await Promise.race([began, new Promise<Printing>((resolve) => setTimeout(resolve, PRINT_MS, 'unheard'))])
  } finally {
    page.removeEventListener('beforeprint', hear)
  }
}
