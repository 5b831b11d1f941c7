import { scrub } from '@lode/wire'

/** The files of the app. Wallets run their own scripts in the page, and their errors are not ours. */
const OWN_FILES = '/assets/'
const MAX_STACK_LINES = 4

/** The text of an error of our own code, scrubbed. Null for an error of another script, and for what is no error. */
export function errorText(error: unknown): string | null {
  if (!(error instanceof Error) || !error.stack?.includes(OWN_FILES)) return null
  // Safari leaves the message out of the stack.
  const places = error.stack.split('\n').filter((line) => line.includes(OWN_FILES))
  return scrub([`${error.name}: ${error.message}`, ...places.slice(0, MAX_STACK_LINES)].join('\n'))
}
