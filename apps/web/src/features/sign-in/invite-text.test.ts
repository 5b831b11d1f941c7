import { makeInvitationCode } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { formatInviteText, parseInviteText } from './invite-text.ts'

const code = makeInvitationCode(Uint8Array.from([7, 26, 19, 2, 20, 9, 29]))
const tidy = `${code.slice(0, 4)}-${code.slice(4)}`

describe('the field of the invitation code', () => {
  it.each([
    ['as it is', code],
    ['in lower case', code.toLowerCase()],
    ['in groups', tidy],
    ['with spaces', ` ${code.slice(0, 2)} ${code.slice(2)} `],
    ['inside its link', `https://lode.example/regist?invite=${code.toLowerCase()}`],
    ['inside a link with more', `https://lode.example/regist?lang=en&invite=${tidy}&x=1#top`],
  ])('accepts a code %s', (_how, text) => {
    expect(parseInviteText(text)).toEqual({ ok: true, value: code })
    expect(formatInviteText(text)).toBe(tidy)
  })

  it('leaves a text that is not a code unchanged', () => {
    const typo = code.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    expect(parseInviteText(typo).ok).toBe(false)
    expect(formatInviteText(typo)).toBe(typo)
    expect(formatInviteText('')).toBe('')
  })
})
