import { describe, expect, it } from 'vitest'
import { acceptedTarget, decide } from './guard.ts'

const at = (path: string) => {
  const { pathname, search, hash } = new URL(path, 'http://lode.test')
  return { pathname, search, hash }
}
const nobody = { token: null, expired: false, setupCode: null, exit: false }
const member = { ...nobody, token: 't' }
const expired = { ...nobody, expired: true }
const newcomer = { ...member, setupCode: 'ABCD' }
const leaving = { ...member, exit: true }

describe('without a token', () => {
  it.each([
    ['/login', 'login'],
    ['/regist?invite=7QK2M9X4', 'regist'],
    ['/403', 'forbidden'],
    ['/404', 'notFound'],
    ['/500', 'failed'],
    ['/login/', 'login'],
  ] as const)('%s is open', (path, view) => {
    expect(decide(at(path), nobody)).toEqual({ kind: 'show', view })
  })

  it('/ido is open and has no page', () => {
    expect(decide(at('/ido'), nobody)).toEqual({ kind: 'show', view: 'notFound' })
  })

  it.each(['/home', '/setting', '/setting/', '/wallet/detail?symbol=BTC', '/nowhere', '/login/x', '/Login'])(
    '%s sends to the start, and so to login, without a redirect',
    (path) => {
      expect(decide(at(path), nobody)).toEqual({ kind: 'go', to: '/' })
      expect(decide(at('/'), nobody)).toEqual({ kind: 'go', to: '/login' })
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
    expect(decide(at(path), member)).toEqual({ kind: 'show', view })
  })

  it('an address without a page shows that there is none', () => {
    expect(decide(at('/nowhere'), member)).toEqual({ kind: 'show', view: 'notFound' })
  })

  it('/login goes home', () => {
    expect(decide(at('/login'), member)).toEqual({ kind: 'go', to: '/home' })
    expect(decide(at('/'), member)).toEqual({ kind: 'go', to: '/login' })
  })

  it('/login goes to the wallet where assets are only taken out, and so does /home', () => {
    expect(decide(at('/login'), leaving)).toEqual({ kind: 'go', to: '/wallet' })
    for (const page of ['/home', '/teams', '/teams/maps'])
      expect(decide(at(page), leaving)).toEqual({ kind: 'go', to: '/wallet' })
    expect(decide(at('/wallet'), leaving)).toEqual({ kind: 'show', view: 'wallet' })
    expect(decide(at('/setting'), leaving)).toEqual({ kind: 'show', view: 'setting' })
  })

  it('/login goes to its redirect, with its query', () => {
    expect(decide(at('/login?redirect=%2Fsetting%3Ftab%3Dtheme%23rows'), member)).toEqual({
      kind: 'go',
      to: '/setting?tab=theme#rows',
    })
  })

  it('/login goes home instead of to a redirect that is not ours', () => {
    expect(decide(at('/login?redirect=https%3A%2F%2Fevil.example'), member)).toEqual({ kind: 'go', to: '/home' })
  })
})

describe('when the server has ended the session', () => {
  it('goes to login with the full path to come back to', () => {
    expect(decide(at('/setting?tab=theme#rows'), expired)).toEqual({
      kind: 'go',
      to: '/login?redirect=%2Fsetting%3Ftab%3Dtheme%23rows',
    })
  })

  it('stays on login when already there', () => {
    expect(decide(at('/login?redirect=%2Fhome'), expired)).toEqual({ kind: 'show', view: 'login' })
  })

  it('comes back to the very page after signing in', () => {
    const away = decide(at('/setting?tab=theme'), expired)
    expect(away.kind === 'go' && decide(at(away.to), member)).toEqual({ kind: 'go', to: '/setting?tab=theme' })
  })
})

describe('while the set-up code has not been seen', () => {
  it.each(['/home', '/login', '/', '/404'])('%s leads to it', (path) => {
    expect(decide(at(path), newcomer)).toEqual({ kind: 'go', to: '/regist' })
  })

  it('it is shown, and where the member wanted to go is kept', () => {
    const away = decide(at('/login?redirect=%2Fsetting'), newcomer)
    expect(away).toEqual({ kind: 'go', to: '/regist?redirect=%2Fsetting' })
    expect(decide(at('/regist?redirect=%2Fsetting'), newcomer)).toEqual({ kind: 'show', view: 'regist' })
  })
})

describe('a redirect', () => {
  it.each(['/home', '/home?x=1', '/setting#theme', '/home/'])('to %s is taken', (target) => {
    expect(acceptedTarget(target)).toBe(target)
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
  ])('to %j is not', (target) => {
    expect(acceptedTarget(target)).toBeNull()
  })
})
