import { type Language, languages } from '@lode/wire'
import { createJSONStorage, persist } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type { KeyValueStorage } from './storage.ts'

export type Session = {
  readonly token: string | null
  readonly account: string | null
  readonly lang: Language
  /** Always empty: there are no named roles and no per-route grants. Both are kept, as parts of the stored session. */
  readonly roles: readonly string[]
  readonly routers: readonly string[]
  /** True for an exit session: a disabled account that may only take assets out. */
  readonly exit: boolean
  /** True after the server has ended the session, until the login page is shown. Never stored. */
  readonly expired: boolean
  /** Set at registration and shown only once. Kept in memory until the member has seen it; never stored. */
  readonly setupCode: string | null
}

export type SignedIn = { token: string; account: string; lang: Language; setupCode?: string; exit?: boolean }

const SESSION_KEY = 'session'
/** A plain string beside the session, so that the page's first script can read it without parsing JSON. */
const LANGUAGE_KEY = 'lang'
const VERSION = 1

const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)
const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The stored value may be of an older version or edited by hand. Only fields of the right type are used. */
function storedPart(stored: unknown): Pick<Session, 'token' | 'account' | 'exit'> {
  const { token, account, exit } = (stored ?? {}) as Record<string, unknown>
  return { token: textOrNull(token), account: textOrNull(account), exit: exit === true }
}

/** The store of the signed-in account and the language. `firstLanguage` counts until one is chosen. */
export function createSession(storage: KeyValueStorage, firstLanguage: Language) {
  const storedLanguage = () => {
    const stored = storage.getItem(LANGUAGE_KEY)
    return isLanguage(stored) ? stored : firstLanguage
  }

  const store = createStore<Session>()(
    persist(
      (): Session => ({
        token: null,
        account: null,
        lang: storedLanguage(),
        roles: [],
        routers: [],
        exit: false,
        expired: false,
        setupCode: null,
      }),
      {
        name: SESSION_KEY,
        version: VERSION,
        storage: createJSONStorage(() => storage),
        partialize: ({ token, account, lang, roles, routers, exit }) => ({
          token,
          account,
          lang,
          roles,
          routers,
          ...(exit && { exit }),
        }),
        migrate: (stored) => stored as Session,
        merge: (stored, current) => {
          const { token, account, exit } = storedPart(stored)
          const setupCode = token === current.token ? current.setupCode : null
          return { ...current, token, account, exit, setupCode, lang: storedLanguage() }
        },
      },
    ),
  )

  const chooseLanguage = (lang: Language) => {
    storage.setItem(LANGUAGE_KEY, lang)
    store.setState({ lang })
  }

  return {
    store,
    get: store.getState,
    subscribe: store.subscribe,

    signIn({ token, account, lang, setupCode, exit = false }: SignedIn) {
      storage.setItem(LANGUAGE_KEY, lang)
      store.setState({ token, account, lang, exit, expired: false, setupCode: setupCode ?? null })
    },

    /** Logs out. The language stays, because it belongs to the reader. */
    signOut() {
      store.setState({ token: null, account: null, exit: false, expired: false, setupCode: null })
    },

    /** The server no longer accepts the token. */
    expire() {
      store.setState({ token: null, account: null, exit: false, expired: true, setupCode: null })
    },

    /** The login page is shown now, so the flag is reset. */
    acknowledgeExpiry() {
      store.setState({ expired: false })
    },

    /** The member has used the set-up code or continues without it. It is not shown again. */
    setupCodeSeen() {
      store.setState({ setupCode: null })
    },

    chooseLanguage,

    /**
     * Another tab wrote to storage: use its session and language. This tab only reads and never writes back. Two tabs
     * do not see each other's writes at once, so old state of this tab could undo a sign-in in the other.
     */
    followStorage() {
      void store.persist.rehydrate()
    },
  }
}
