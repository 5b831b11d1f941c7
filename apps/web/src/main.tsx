import './app/base.css'
import './app/shell.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { awaitFirstReads } from './app/await-first-reads.ts'
import { followSession } from './app/follow-session.ts'
import { loadView } from './app/load-view.ts'
import { resolveFirstView } from './app/resolve-first-view.ts'
import { watchKeyboard } from './app/watch-keyboard.ts'
import { watchActivity } from './shared/api/index.ts'
import { startI18n, text } from './shared/i18n/index.ts'
import { toast } from './shared/notify/index.ts'
import { reloadOnce } from './shared/parts/index.ts'
import { watchErrors } from './shared/report/index.ts'
import { followOtherTabs } from './shared/session/index.ts'
import { startTheme } from './shared/theme/index.ts'

const root = createRoot(document.getElementById('root') ?? document.body)

/** Renders only when everything is ready: the address is settled, and its page and the language are loaded. */
async function start(): Promise<void> {
  watchErrors()
  startTheme()
  followOtherTabs()
  followSession()
  watchActivity()
  watchKeyboard()
  let first = resolveFirstView()
  const started = startI18n({
    onLanguage: (htmlLang) => {
      document.documentElement.lang = htmlLang
    },
    onFailure: () => reloadOnce() || toast.error(text('errors.noResponse')),
  })
  await Promise.all([
    // After the texts: an answer may end the session, and say so.
    started.then(() => awaitFirstReads(first)),
    loadView(first),
    import.meta.env.DEV && import('./dev-wallet/index.ts').then(({ installDevWallet }) => installDevWallet()),
  ])
  // The answers may have ended the session.
  first = resolveFirstView()
  await loadView(first)
  // A transition renders in short slices, so that the phone answers touches in between.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App first={first} />
      </StrictMode>,
    ),
  )
}

declare global {
  interface Window {
    /** Set by prepaint.js. It is also called for every failure before this line, and shows one page for all of them. */
    showStartFailure: () => void
  }
}

start().catch(() => {
  if (!reloadOnce()) window.showStartFailure()
})
