import { type ViewName, viewAt, views } from './views.ts'

export type PageLocation = { readonly pathname: string; readonly search: string; readonly hash: string }

export type Decision = { readonly kind: 'show'; readonly view: ViewName } | { readonly kind: 'go'; readonly to: string }

/** Paths that need no token. `/ido` is open and has no page, so it shows the 404 page. */
const PUBLIC_PATHS = ['/login', '/regist', '/ido', '/403', '/404', '/500']

const HIDDEN_IN_EXIT_SESSION: readonly ViewName[] = ['home', 'teams', 'net', 'share']

const isPublic = (path: string): boolean => PUBLIC_PATHS.includes(path.replace(/\/+$/, ''))

/** Stands for the app's own origin when a redirect is parsed. A redirect to another site has another origin. */
const OWN_ORIGIN = 'http://here.invalid'

type GuardSession = {
  readonly token: string | null
  readonly expired: boolean
  readonly setupCode: string | null
  readonly exit: boolean
}

/** Decides which view is shown, from the address and the session. All redirects of the app are decided here. */
export function decideView(pageLocation: PageLocation, session: GuardSession): Decision {
  const { pathname, search, hash } = pageLocation
  const view = viewAt(pathname)

  if (session.expired && view !== 'login')
    return { kind: 'go', to: `${views.login.path}?redirect=${encodeURIComponent(pathname + search + hash)}` }
  // The member left the page while the registration was running. The set-up code in the answer is shown before
  // anything else.
  if (session.setupCode !== null && view !== 'regist') return { kind: 'go', to: views.regist.path + search }
  if (pathname === '/') return { kind: 'go', to: views.login.path }
  if (session.token === null && !isPublic(pathname)) return { kind: 'go', to: '/' }
  const start = session.exit ? views.wallet.path : views.home.path
  if (session.token !== null && view === 'login')
    return { kind: 'go', to: acceptRedirect(new URLSearchParams(search).get('redirect')) ?? start }
  // An exit session may see only the pages that it needs to take assets out.
  if (session.exit && view !== undefined && HIDDEN_IN_EXIT_SESSION.includes(view)) return { kind: 'go', to: start }
  return { kind: 'show', view: view ?? 'notFound' }
}

/**
 * The redirect comes from the address bar, so anybody can have written it. It must begin with one slash and lead to a
 * page of the app other than the login page. The check uses the URL as the browser parses it, because the browser reads
 * backslashes as slashes and drops control characters.
 */
export function acceptRedirect(redirect: string | null): string | null {
  if (!redirect || !/^\/(?![/\\])/.test(redirect)) return null
  const { origin, pathname, search, hash } = new URL(redirect, OWN_ORIGIN)
  const view = viewAt(pathname)
  if (origin !== OWN_ORIGIN || view === undefined || view === 'login') return null
  return pathname + search + hash
}
