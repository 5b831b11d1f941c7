import { defaultLanguage, type Language, languages } from '@lode/wire'
import { createJSONStorage, persist } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type { KeyValueStorage } from './storage.ts'

export type Session = {
  readonly token: string | null
  readonly account: string | null
  readonly lang: Language
  /** Nobody has a named role and no route is granted one by one: both stay empty, and are kept because they are part of the state. */
  readonly roles: readonly string[]
  readonly routers: readonly string[]
  /** Signed in to take assets out, and for nothing else. */
  readonly exit: boolean
  /** Set when the server ended the session, until the member has been brought to the login page. Never stored. */
  readonly expired: boolean
  /** Given at registration and shown only once: kept until the member has seen it, and never stored. */
  readonly setupCode: string | null
}

export type SignedIn = { token: string; account: string; lang: Language; setupCode?: string; exit?: boolean }

const SESSION_KEY = 'session'
/** A plain string beside the session, so that the page's first script can read it before anything is parsed. */
const LANGUAGE_KEY = 'lang'
const VERSION = 1

const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)
const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** What was stored may be older than this program, or edited by hand: only what has the right shape is taken over. */
function storedPart(stored: unknown): Pick<Session, 'token' | 'account' | 'exit'> {
  const { token, account, exit } = (stored ?? {}) as Record<string, unknown>
  return { token: textOrNull(token), account: textOrNull(account), exit: exit === true }
}

/** The one place that knows who is signed in and in which language. */
export function createSession(storage: KeyValueStorage) {
  const storedLanguage = () => {
    const stored = storage.getItem(LANGUAGE_KEY)
    return isLanguage(stored) ? stored : defaultLanguage
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

    /** Logging out. The language stays: it belongs to the reader, not to the session. */
    signOut() {
      store.setState({ token: null, account: null, exit: false, expired: false, setupCode: null })
    },

    /** The server no longer knows the token. */
    expire() {
      store.setState({ token: null, account: null, exit: false, expired: true, setupCode: null })
    },

    /** The member stands on the login page now; nothing is left to react to. */
    acknowledgeExpiry() {
      store.setState({ expired: false })
    },

    /** The member has said that it goes on without the code. */
    setupCodeSeen() {
      store.setState({ setupCode: null })
    },

    chooseLanguage,

    /**
     * Another tab wrote something: be who that tab is, in the language that it speaks. Read and never written back: two tabs
     * do not see each other's writes at the same moment, and what this tab still believed would undo a sign-in over there.
     */
    followStorage() {
      void store.persist.rehydrate()
    },
  }
}
