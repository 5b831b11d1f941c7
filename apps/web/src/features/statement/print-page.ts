/** How long a browser may take to begin to print. Those that print tell the page at once. */
const PRINT_MS = 1_000

/** `unheard`: asked, and it did not tell that it began. Web views have a `print` that does nothing. */
export type Printing = 'began' | 'unheard' | 'missing'

type PrintingPage = Pick<Window, 'addEventListener' | 'removeEventListener'> & { print?: () => void }

/** Opens the browser's print view, as far as can be known. */
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
