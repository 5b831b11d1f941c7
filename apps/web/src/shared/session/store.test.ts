import { describe, expect, it } from 'vitest'
import { type KeyValueStorage, openStorage } from './storage.ts'
import { createSession } from './store.ts'

const ALICE = '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C'
const BOB = '0x77b1000000000000000000000000000000d509Aa'

const freshStorage = () => openStorage(() => undefined)
const stored = (storage: KeyValueStorage) => JSON.parse(storage.getItem('session') ?? 'null')

describe('the session', () => {
  it('begins signed out, in English, with no roles and no routers', () => {
    expect(createSession(freshStorage(), 'en').get()).toEqual({
      token: null,
      account: null,
      lang: 'en',
      roles: [],
      routers: [],
      exit: false,
      expired: false,
      setupCode: null,
    })
  })

  it('begins in the language of the page, until another one is chosen', () => {
    const storage = freshStorage()
    expect(createSession(storage, 'zh_tw').get().lang).toBe('zh_tw')
    createSession(storage, 'zh_tw').chooseLanguage('en')
    expect(createSession(storage, 'zh_tw').get().lang).toBe('en')
  })

  it('survives a reload', () => {
    const storage = freshStorage()
    createSession(storage, 'en').signIn({ token: 't', account: ALICE, lang: 'zh_tw' })

    expect(createSession(storage, 'en').get()).toMatchObject({ token: 't', account: ALICE, lang: 'zh_tw' })
    expect(stored(storage)).toEqual({
      version: 1,
      state: { token: 't', account: ALICE, lang: 'zh_tw', roles: [], routers: [] },
    })
  })

  it('stays an exit session after a reload, until it ends', () => {
    const storage = freshStorage()
    createSession(storage, 'en').signIn({ token: 't', account: ALICE, lang: 'en', exit: true })
    const session = createSession(storage, 'en')
    expect(session.get().exit).toBe(true)
    session.signOut()
    session.signIn({ token: 'u', account: ALICE, lang: 'en' })
    expect(session.get().exit).toBe(false)
    expect(createSession(storage, 'en').get().exit).toBe(false)
  })

  it('stores the language as a plain string, even before sign-in', () => {
    const storage = freshStorage()
    createSession(storage, 'en').chooseLanguage('zh_cn')

    expect(storage.getItem('lang')).toBe('zh_cn')
    expect(createSession(storage, 'en').get().lang).toBe('zh_cn')
  })

  it('uses the language of the sign-in answer', () => {
    const storage = freshStorage()
    const session = createSession(storage, 'en')
    session.chooseLanguage('zh_cn')
    session.signIn({ token: 't', account: ALICE, lang: 'zh_tw' })

    expect(session.get().lang).toBe('zh_tw')
    expect(storage.getItem('lang')).toBe('zh_tw')
  })

  it('keeps the language after sign-out and after expiry', () => {
    for (const end of ['signOut', 'expire'] as const) {
      const storage = freshStorage()
      const session = createSession(storage, 'en')
      session.signIn({ token: 't', account: ALICE, lang: 'zh_cn', exit: true, setupCode: 'ABCD' })
      session[end]()

      const signedOut = { token: null, account: null, lang: 'zh_cn', roles: [], routers: [], exit: false }
      expect(session.get()).toEqual({ ...signedOut, expired: end === 'expire', setupCode: null })
      expect(stored(storage)).toEqual({
        version: 1,
        state: { token: null, account: null, lang: 'zh_cn', roles: [], routers: [] },
      })
      expect(createSession(storage, 'en').get()).toEqual({ ...signedOut, expired: false, setupCode: null })
    }
  })

  it('keeps the expired flag until the login page is shown, but not after a reload', () => {
    const storage = freshStorage()
    const session = createSession(storage, 'en')
    session.expire()
    expect(session.get().expired).toBe(true)
    expect(createSession(storage, 'en').get().expired).toBe(false)
    session.acknowledgeExpiry()
    expect(session.get().expired).toBe(false)
  })

  it('keeps the set-up code in memory until it was seen, never in storage', () => {
    const storage = freshStorage()
    const session = createSession(storage, 'en')
    session.signIn({ token: 't', account: ALICE, lang: 'en', setupCode: 'ABCD' })
    session.followStorage()
    expect(session.get().setupCode).toBe('ABCD')
    expect(storage.getItem('session')).not.toContain('ABCD')
    session.setupCodeSeen()
    expect(session.get()).toMatchObject({ token: 't', setupCode: null })
  })

  it('drops the set-up code when it ends', () => {
    const elsewhere = freshStorage()
    const ends = [
      (session: ReturnType<typeof createSession>) => session.signOut(),
      (session: ReturnType<typeof createSession>) => session.expire(),
      (session: ReturnType<typeof createSession>) => {
        createSession(elsewhere, 'en').signIn({ token: 'b', account: BOB, lang: 'en' })
        session.followStorage()
      },
    ]
    for (const end of ends) {
      const session = createSession(elsewhere, 'en')
      session.signIn({ token: 't', account: ALICE, lang: 'en', setupCode: 'ABCD' })
      end(session)
      expect(session.get().setupCode).toBeNull()
    }
  })

  it('falls back to English for an unknown language', () => {
    const storage = freshStorage()
    storage.setItem('lang', 'fr')
    expect(createSession(storage, 'en').get().lang).toBe('en')
  })

  it.each(['not json', '[]', '{"state":{"token":7,"account":{}}}', '{"state":null,"version":99}'])(
    'is signed out if the stored value is %s',
    (value) => {
      const storage = freshStorage()
      storage.setItem('session', value)
      expect(createSession(storage, 'en').get()).toMatchObject({ token: null, account: null, roles: [], routers: [] })
    },
  )

  it('works if the browser forbids storage', () => {
    const forbidding = openStorage(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    const session = createSession(forbidding, 'en')
    session.signIn({ token: 't', account: ALICE, lang: 'en' })
    expect(session.get().token).toBe('t')
  })

  it('knows whether stored values survive a reload', () => {
    const values = new Map<string, string>()
    const browser = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
    }
    expect(openStorage(() => browser).lasts).toBe(true)
    expect(freshStorage().lasts).toBe(false)
  })
})

describe('a second tab', () => {
  function twoTabs() {
    const storage = freshStorage()
    const here = createSession(storage, 'en')
    const there = createSession(storage, 'en')
    return { storage, here, there }
  }

  it('that signs in, signs out or changes the account is followed', () => {
    const { here, there } = twoTabs()

    there.signIn({ token: 'a', account: ALICE, lang: 'zh_tw' })
    here.followStorage()
    expect(here.get()).toMatchObject({ token: 'a', account: ALICE, lang: 'zh_tw' })

    there.signIn({ token: 'b', account: BOB, lang: 'zh_tw' })
    here.followStorage()
    expect(here.get()).toMatchObject({ token: 'b', account: BOB })

    there.signOut()
    here.followStorage()
    expect(here.get()).toMatchObject({ token: null, account: null, lang: 'zh_tw', expired: false })
  })

  it('that clears the storage signs this tab out', () => {
    const { storage, here } = twoTabs()
    here.signIn({ token: 'a', account: ALICE, lang: 'en' })
    storage.removeItem('session')
    storage.removeItem('lang')
    here.followStorage()
    expect(here.get()).toMatchObject({ token: null, account: null, lang: 'en' })
  })

  it('that signs in is not signed out when this tab follows it', () => {
    const { storage, here, there } = twoTabs()
    there.signIn({ token: 'a', account: ALICE, lang: 'zh_tw' })
    here.followStorage()
    expect(stored(storage).state).toMatchObject({ token: 'a', account: ALICE, lang: 'zh_tw' })
  })

  it('is followed without writing, so that an old session cannot replace a new one', () => {
    const { storage, here } = twoTabs()
    const writes: string[] = []
    const write = storage.setItem
    storage.setItem = (key, value) => {
      writes.push(key)
      write(key, value)
    }
    here.followStorage()
    expect(writes).toEqual([])
  })
})
