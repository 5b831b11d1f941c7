import { recover } from './recovery.ts'

function sessionMemory(): Storage | undefined {
  try {
    return window.sessionStorage
  } catch {
    return undefined
  }
}

export const reloadOnce = (): boolean =>
  recover({
    // The address of the page's script carries the hash of the build, of all its parts.
    build: document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '',
    online: navigator.onLine,
    memory: sessionMemory(),
    reload: () => window.location.reload(),
  })
