/**
 * The reads that prepaint.js began before the app's code was loaded. Each answer is used at most once, for exactly the
 * request that the app would send itself: of the same member, with the same session and in the same language.
 */
export type FirstReads = {
  readonly at: number
  readonly token: string
  readonly account: string
  /** The value of Accept-Language. */
  readonly locale: string
  readonly answers: Record<string, Promise<Response>>
}

declare global {
  interface Window {
    firstReads?: FirstReads
  }
}

/** An older answer is not used: the app took so long to start that the member should see newer data. */
const MAX_AGE_MS = 15_000

type Request = {
  readonly path: string
  readonly input: Record<string, unknown>
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Takes the answer to this request out of the first reads; undefined if there is none. */
export function takeFirstRead(
  reads: FirstReads | undefined,
  { path, input, headers, signal }: Request,
  now: number,
): Promise<Response> | undefined {
  const answer = reads?.answers[path]
  if (!reads || !answer) return undefined
  delete reads.answers[path]
  const isSame =
    JSON.stringify(input) === JSON.stringify({ account: reads.account }) &&
    headers.Authorization === `Bearer ${reads.token}` &&
    headers['Accept-Language'] === reads.locale &&
    headers['If-None-Match'] === undefined
  const age = now - reads.at
  return isSame && age >= 0 && age <= MAX_AGE_MS ? untilAborted(answer, signal) : undefined
}

/** Ends the waiting with the signal, also for a request of prepaint.js, which the signal itself cannot stop. */
export function untilAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException('The request was canceled', 'AbortError'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    answer.then(resolve, reject)
  })
}
