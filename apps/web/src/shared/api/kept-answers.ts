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
      if (tag !== null) answers.set(name, { input: JSON.stringify(input), tag, data })
    },
  }
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>

/** A kept answer is as new as the server's word that it is still true. */
export function renewed(data: unknown, response: Response): unknown {
  const date = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(date) ? data : { ...(data as object), at: new Date(date).toISOString() }
}
