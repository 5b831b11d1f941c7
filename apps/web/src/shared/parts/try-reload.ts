import type { KeyValueStorage } from '../session/index.ts'

const KEY = 'reloaded-in'

type ReloadContext = {
  /** Identifies the running build, so that each new build gets its own reload. */
  readonly build: string
  readonly online: boolean
  /** Undefined if nothing can be stored over a reload. */
  readonly memory: KeyValueStorage | undefined
  readonly reload: () => void
}

/**
 * Called when a part of the app could not be loaded. Usually a new version was deployed while the page was open, and
 * the old files are gone; one reload loads the new version. It does not reload offline, because the browser would show
 * its own error page, nor without storage, because nothing would stop a second reload. Returns true if the page is
 * about to reload.
 */
export function tryReload({ build, online, memory, reload }: ReloadContext): boolean {
  if (!online || !memory || memory.getItem(KEY) === build) return false
  memory.setItem(KEY, build)
  reload()
  return true
}
