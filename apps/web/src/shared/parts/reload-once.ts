import { createReloadHold } from './reload-hold.ts'
import { tryReload } from './try-reload.ts'

const page = createReloadHold(() => window.location.reload())

/** Holds off reloads by the app until the returned function is called. */
export const holdReloads = (): (() => void) => page.hold()

function sessionMemory(): Storage | undefined {
  try {
    return window.sessionStorage
  } catch {
    return undefined
  }
}

export const reloadOnce = (): boolean =>
  tryReload({
    // The URL of the page's script contains the hash of the whole build.
    build: document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '',
    online: navigator.onLine,
    memory: sessionMemory(),
    reload: () => page.reload(),
  })
