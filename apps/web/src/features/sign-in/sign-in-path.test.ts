import { describe, expect, it } from 'vitest'
import { buildSignInPath } from './sign-in-path.ts'

describe('going from one sign-in page to the other', () => {
  it('keeps the invitation code and the redirect target, and nothing else', () => {
    const path = buildSignInPath('/regist', { redirect: '/setting?a=1&b=2', invite: '7QK2M9X4', other: 'x' })
    const { pathname, searchParams } = new URL(path, 'https://lode.example')
    expect(pathname).toBe('/regist')
    expect(Object.fromEntries(searchParams)).toEqual({ invite: '7QK2M9X4', redirect: '/setting?a=1&b=2' })
  })

  it('adds no query if there is nothing to keep', () => {
    expect(buildSignInPath('/login', {})).toBe('/login')
  })
})
