import { type ViewName, viewAt, views } from './views.ts'

export type Place = { readonly pathname: string; readonly search: string; readonly hash: string }

export type Decision = { readonly kind: 'show'; readonly view: ViewName } | { readonly kind: 'go'; readonly to: string }

/** Pages that need no token. `/ido` is open and has no page, so it shows that there is none. */
const OPEN = ['/login', '/regist', '/ido', '/403', '/404', '/500']

const NOT_FOR_LEAVING: readonly ViewName[] = ['home', 'teams', 'net', 'help', 'share']

const isOpen = (path: string): boolean => OPEN.includes(path.replace(/\/+$/, ''))

/** Stands for the app's own origin, which does not matter: only whether a target leaves it. */
const HERE = 'http://here.invalid'

type Who = {
  readonly token: string | null
  readonly expired: boolean
  readonly setupCode: string | null
  readonly exit: boolean
}

/** Where a member stands and who it is decide what is shown. Every redirect of the app is decided here and nowhere else. */
export function decide(place: Place, session: Who): Decision {
  const { pathname, search, hash } = place
  const view = viewAt(pathname)

  if (session.expired && view !== 'login')
    return { kind: 'go', to: `${views.login.path}?redirect=${encodeURIComponent(pathname + search + hash)}` }
  // Registration was left while its answer was on the way: the code that came with it is shown before anything else.
  if (session.setupCode !== null && view !== 'regist') return { kind: 'go', to: views.regist.path + search }
  if (pathname === '/') return { kind: 'go', to: views.login.path }
  if (session.token === null && !isOpen(pathname)) return { kind: 'go', to: '/' }
  const start = session.exit ? views.wallet.path : views.home.path
  if (session.token !== null && view === 'login')
    return { kind: 'go', to: acceptedTarget(new URLSearchParams(search).get('redirect')) ?? start }
  // Whoever only takes assets out has no other home than them, and no team to look at.
  if (session.exit && view !== undefined && NOT_FOR_LEAVING.includes(view)) return { kind: 'go', to: start }
  return { kind: 'show', view: view ?? 'notFound' }
}

/**
 * A redirect comes out of the address bar, so anybody can have written it. It must begin with one slash and be a page of
 * ours, judged after the browser's own parsing: backslashes and control characters are read as slashes there, or dropped.
 */
export function acceptedTarget(redirect: string | null): string | null {
  if (!redirect || !/^\/(?![/\\])/.test(redirect)) return null
  const { origin, pathname, search, hash } = new URL(redirect, HERE)
  const view = viewAt(pathname)
  if (origin !== HERE || view === undefined || view === 'login') return null
  return pathname + search + hash
}
