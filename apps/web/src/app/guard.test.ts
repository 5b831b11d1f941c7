import { describe, expect, it } from 'vitest'
import { acceptRedirect, decideView } from './guard.ts'

const at = (path: string) => {
  const { pathname, search, hash } = new URL(path, 'http://lode.test')
  return { pathname, search, hash }
}
const signedOut = { token: null, expired: false, setupCode: null, exit: false }
const member = { ...signedOut, token: 't' }
const expired = { ...signedOut, expired: true }
const newcomer = { ...member, setupCode: 'ABCD' }
const exitSession = { ...member, exit: true }

describe('without a token', () => {
  it.each([
    ['/login', 'login'],
    ['/regist?invite=7QK2M9X4', 'regist'],
    ['/403', 'forbidden'],
    ['/404', 'notFound'],
    ['/500', 'failed'],
    ['/login/', 'login'],
  ] as const)('%s is open', (path, view) => {
    expect(decideView(at(path), signedOut)).toEqual({ kind: 'show', view })
  })

  it('/ido is open and has no page', () => {
    expect(decideView(at('/ido'), signedOut)).toEqual({ kind: 'show', view: 'notFound' })
  })

  it.each(['/home', '/setting', '/setting/', '/wallet/detail?symbol=BTC', '/nowhere', '/login/x', '/Login'])(
    '%s goes to /, and from there to login, without a redirect',
    (path) => {
      expect(decideView(at(path), signedOut)).toEqual({ kind: 'go', to: '/' })
      expect(decideView(at('/'), signedOut)).toEqual({ kind: 'go', to: '/login' })
    },
  )
})

describe('with a token', () => {
  it.each([
    ['/home', 'home'],
    ['/setting?from=home', 'setting'],
    ['/regist?invite=7QK2M9X4', 'regist'],
    ['/404', 'notFound'],
  ] as const)('%s is shown', (path, view) => {
    expect(decideView(at(path), member)).toEqual({ kind: 'show', view })
  })

  it('an unknown address shows the 404 page', () => {
    expect(decideView(at('/nowhere'), member)).toEqual({ kind: 'show', view: 'notFound' })
  })

  it('/login goes home', () => {
    expect(decideView(at('/login'), member)).toEqual({ kind: 'go', to: '/home' })
    expect(decideView(at('/'), member)).toEqual({ kind: 'go', to: '/login' })
  })

  it('/login and /home go to the wallet in an exit session', () => {
    expect(decideView(at('/login'), exitSession)).toEqual({ kind: 'go', to: '/wallet' })
    for (const page of ['/home', '/teams', '/teams/maps'])
      expect(decideView(at(page), exitSession)).toEqual({ kind: 'go', to: '/wallet' })
    expect(decideView(at('/wallet'), exitSession)).toEqual({ kind: 'show', view: 'wallet' })
    expect(decideView(at('/setting'), exitSession)).toEqual({ kind: 'show', view: 'setting' })
    expect(decideView(at('/setting/help'), exitSession)).toEqual({ kind: 'show', view: 'help' })
  })

  it('/login goes to its redirect, with its query', () => {
    expect(decideView(at('/login?redirect=%2Fsetting%3Ftab%3Dtheme%23rows'), member)).toEqual({
      kind: 'go',
      to: '/setting?tab=theme#rows',
    })
  })

  it('/login ignores a redirect to another site', () => {
    expect(decideView(at('/login?redirect=https%3A%2F%2Fevil.example'), member)).toEqual({ kind: 'go', to: '/home' })
  })
})

describe('when the server has ended the session', () => {
  it('goes to login with the full path as redirect', () => {
    expect(decideView(at('/setting?tab=theme#rows'), expired)).toEqual({
      kind: 'go',
      to: '/login?redirect=%2Fsetting%3Ftab%3Dtheme%23rows',
    })
  })

  it('stays on login when already there', () => {
    expect(decideView(at('/login?redirect=%2Fhome'), expired)).toEqual({ kind: 'show', view: 'login' })
  })

  it('returns to the same page after signing in', () => {
    const away = decideView(at('/setting?tab=theme'), expired)
    expect(away.kind === 'go' && decideView(at(away.to), member)).toEqual({ kind: 'go', to: '/setting?tab=theme' })
  })
})

describe('before the member has seen the set-up code', () => {
  it.each(['/home', '/login', '/', '/404'])('%s goes to the set-up code', (path) => {
    expect(decideView(at(path), newcomer)).toEqual({ kind: 'go', to: '/regist' })
  })

  it('the set-up code is shown and the redirect is kept', () => {
    const away = decideView(at('/login?redirect=%2Fsetting'), newcomer)
    expect(away).toEqual({ kind: 'go', to: '/regist?redirect=%2Fsetting' })
    expect(decideView(at('/regist?redirect=%2Fsetting'), newcomer)).toEqual({ kind: 'show', view: 'regist' })
  })
})

describe('a redirect', () => {
  it.each(['/home', '/home?x=1', '/setting#theme', '/home/'])('to %s is accepted', (target) => {
    expect(acceptRedirect(target)).toBe(target)
  })

  it.each([
    '',
    'home',
    '//evil.example',
    '//evil.example/home',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example/home',
    '/\n/evil.example',
    'https://evil.example/home',
    'javascript:alert(1)',
    '/nowhere',
    '/login',
    '/login?redirect=%2Fhome',
    '/',
    '/home/../nowhere',
    ' /home',
  ])('to %j is not accepted', (target) => {
    expect(acceptRedirect(target)).toBeNull()
  })
})
