import type { RouteName } from '@lode/wire'

/**
 * The last answer of each route whose answers the app keeps. With its tag the app asks whether the answer is still true,
 * and the server sends it again only if it changed.
 */
export function createKeptAnswers() {
  const answers = new Map<RouteName, { input: string; tag: string; data: unknown }>()

  /** The answer to this very input. Another account is another input. */
  const find = (name: RouteName, input: object) => {
    const answer = answers.get(name)
    return answer?.input === JSON.stringify(input) ? answer : undefined
  }

  return {
    find,
    keep(name: RouteName, input: object, response: Response, data: unknown): void {
      const tag = response.headers.get('etag')
      if (tag === null) answers.delete(name)
      else answers.set(name, { input: JSON.stringify(input), tag, data })
    },
    forget: () => answers.clear(),
  }
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>

/** The kept answer with the time at which the server found it unchanged. */
export function renewed(data: unknown, response: Response): unknown {
  const at = response.headers.get('x-at')
  return at === null ? data : { ...(data as object), at }
}
