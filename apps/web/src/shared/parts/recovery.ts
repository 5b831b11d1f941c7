import type { KeyValueStorage } from '../session/index.ts'

const KEY = 'reloaded-in'

type Surroundings = {
  /** Names the deployment that is running, so that the next one gets its own try. */
  readonly build: string
  readonly online: boolean
  /** Undefined where nothing can be remembered over a reload. */
  readonly memory: KeyValueStorage | undefined
  readonly reload: () => void
}

/**
 * A part of the app could not be loaded. Mostly a new version was put in place under an open page, whose parts are then gone:
 * one reload brings the new version. Offline a reload would trade the app for the browser's own error page, and without a
 * memory nothing would stop the second one. True when the page is about to go.
 */
export function recover({ build, online, memory, reload }: Surroundings): boolean {
  if (!online || !memory || memory.getItem(KEY) === build) return false
  memory.setItem(KEY, build)
  reload()
  return true
}
