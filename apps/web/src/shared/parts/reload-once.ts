import { tryReload } from './try-reload.ts'

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
    reload: () => window.location.reload(),
  })
