import { queryClient, read } from '../shared/api/index.ts'
import { session } from '../shared/session/index.ts'
import type { ViewName } from './views.ts'

/** The static shell is not shown longer than this for the sake of the figures. */
const PATIENCE_MS = 300

/**
 * Waits a moment for the reads that prepaint.js began. They have usually arrived before the app's code, and then the
 * first page is drawn with its figures at once, instead of without them and again with them.
 */
export async function awaitFirstReads(first: ViewName): Promise<void> {
  const { token, exit } = session.get()
  if (token === null || exit || first !== 'home') return
  const reads = Promise.all([
    queryClient.prefetchQuery(read('account/profile', {})),
    queryClient.prefetchQuery(read('account/home', {})),
  ])
  await Promise.race([reads, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}
