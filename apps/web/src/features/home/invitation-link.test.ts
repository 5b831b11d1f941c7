import { expect, it } from 'vitest'
import { invitationLink } from './invitation-link.ts'

it('an invitation link opens registration with the code', () => {
  expect(invitationLink('https://pool.example', '7QK2M9X4')).toBe('https://pool.example/regist?invite=7QK2M9X4')
})
