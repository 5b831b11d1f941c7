/**
 * How long the member has not touched the app. The server lets a session live by what members do, not by what the app
 * refreshes on its own.
 */
export function createActivity(now: () => number) {
  let touchedAt = now()
  return {
    touch() {
      touchedAt = now()
    },
    idleSeconds: () => Math.max(0, Math.floor((now() - touchedAt) / 1000)),
  }
}
