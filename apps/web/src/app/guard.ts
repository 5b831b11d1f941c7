import { type ViewName, viewAt, views } from './views.ts'

export type Place = { readonly pathname: string; readonly search: string; readonly hash: string }

export type Decision = { readonly kind: 'show'; readonly view: ViewName } | { readonly kind: 'go'; readonly to: string }

/** Paths that need no token. `/ido` is open and has no page, so it shows the 404 page. */
const OPEN = ['/login', '/regist', '/ido', '/403', '/404', '/500']

const NOT_FOR_LEAVING: readonly ViewName[] = ['home', 'teams', 'net', 'help', 'share']

const isOpen = (path: string): boolean => OPEN.includes(path.replace(/\/+$/, ''))

/** Stands for the app's own origin. Its value does not matter; it only shows whether a target has another origin. */
const HERE = 'http://here.invalid'

type Who = {
  readonly token: string | null
  readonly expired: boolean
  readonly setupCode: string | null
  readonly exit: boolean
}

/** Decides which view is shown, from the address and the session. All redirects of the app are decided here. */
export function decide(place: Place, session: Who): Decision {
  const { pathname, search, hash } = place
  const view = viewAt(pathname)

  if (session.expired && view !== 'login')
    return { kind: 'go', to: `${views.login.path}?redirect=${encodeURIComponent(pathname + search + hash)}` }
  // The member left the page while the registration was running. The set-up code of its answer is shown before anything
  // else.
  if (session.setupCode !== null && view !== 'regist') return { kind: 'go', to: views.regist.path + search }
  if (pathname === '/') return { kind: 'go', to: views.login.path }
  if (session.token === null && !isOpen(pathname)) return { kind: 'go', to: '/' }
  const start = session.exit ? views.wallet.path : views.home.path
  if (session.token !== null && view === 'login')
    return { kind: 'go', to: acceptedTarget(new URLSearchParams(search).get('redirect')) ?? start }
  // An exit session may see only the pages that it needs to take assets out.
  if (session.exit && view !== undefined && NOT_FOR_LEAVING.includes(view)) return { kind: 'go', to: start }
  return { kind: 'show', view: view ?? 'notFound' }
}

/**
 * The redirect comes from the address bar, so anybody can have written it. It must begin with one slash and be a page
 * of the app. It is checked after the browser's own parsing, which reads backslashes as slashes and drops control
 * characters.
 */
export function acceptedTarget(redirect: string | null): string | null {
  if (!redirect || !/^\/(?![/\\])/.test(redirect)) return null
  const { origin, pathname, search, hash } = new URL(redirect, HERE)
  const view = viewAt(pathname)
  if (origin !== HERE || view === undefined || view === 'login') return null
  return pathname + search + hash
}
