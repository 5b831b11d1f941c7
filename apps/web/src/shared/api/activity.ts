/**
 * Measures the time since the member last touched the app. The server extends a session only for actions of the member,
 * not for requests that the app makes by itself.
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
