import type { Acknowledged } from '../acknowledged.ts'
import type { Books } from './books.ts'

/** The maximum lifetime of a session, and the maximum number of sessions of a member. Older ones may be gone. */
const SESSION_SECONDS = 12 * 3_600
const MOST_SESSIONS = 20

/** Everything that the api answered with success exists, and each signature has at most one session. */
export function* signInFindings(books: Books, acknowledged: Acknowledged, now: number): Generator<string> {
  for (const account of acknowledged.members)
    if (!books.members.has(account.toLowerCase())) yield `${account} was registered, and is not there`
  for (const [account, sessions] of Map.groupBy(acknowledged.sessions, ({ account }) => account)) {
    const kept = new Set(books.members.get(account.toLowerCase())?.sessions)
    const lasting = sessions.slice(-MOST_SESSIONS / 2).filter(({ at }) => now - at < SESSION_SECONDS)
    for (const { tokenHash } of lasting)
      if (!kept.has(tokenHash.toString('hex'))) yield `a session of ${account} was answered, and is not there`
  }
  for (const [account, { sessions }] of books.members) {
    const signed = Array.from(acknowledged.signatures).find(([address]) => address.toLowerCase() === account)?.[1] ?? 0
    if (sessions.length > signed) yield `${account} has ${sessions.length} sessions of ${signed} signatures`
  }
}
