import { describe, expect, it } from 'vitest'
import { pathKeeping } from './paths.ts'

describe('going from one sign-in page to the other', () => {
  it('keeps the invitation and where the member wanted to go, and nothing else', () => {
    const path = pathKeeping('/regist', { redirect: '/setting?a=1&b=2', invite: '7QK2M9X4', other: 'x' })
    const { pathname, searchParams } = new URL(path, 'https://lode.example')
    expect(pathname).toBe('/regist')
    expect(Object.fromEntries(searchParams)).toEqual({ invite: '7QK2M9X4', redirect: '/setting?a=1&b=2' })
  })

  it('adds nothing where there is nothing to keep', () => {
    expect(pathKeeping('/login', {})).toBe('/login')
  })
})
