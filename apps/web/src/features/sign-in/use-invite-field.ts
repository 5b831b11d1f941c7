import { useEffect, useRef, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { inviteIn, tidyInvite } from './invite-text.ts'
import type { State } from './machine.ts'

type RefusedInvite = Extract<State, { at: 'choosing' }>['inviteProblem']

/** The field of the invitation code: its input and its error. */
export function useInviteField(first: string, refused: RefusedInvite) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(() => tidyInvite(first))
  const [looked, setLooked] = useState(text !== '')
  /** The code that the server does not know. Another code is not wrong yet. */
  const [unknown, setUnknown] = useState<string | null>(null)

  useEffect(() => {
    if (refused === null) return
    setUnknown(input.current?.value ?? null)
    input.current?.focus()
  }, [refused])

  function error(): string | undefined {
    if (looked && text.trim() === '') return t('signIn.inviteMissing')
    if (looked && !inviteIn(text).ok) return t('refusals.invite-format')
    return refused !== null && text === unknown ? t(`refusals.${refused}`) : undefined
  }

  return {
    input,
    text,
    error: error(),
    write(next: string): void {
      setText(next)
      setLooked(false)
    },
    tidy(): void {
      setText(tidyInvite(text))
      setLooked(text !== '')
    },
    /** The code if it is valid. Otherwise null, and the field shows the error. */
    read(): string | null {
      const code = inviteIn(text)
      setLooked(true)
      if (code.ok) return code.value
      input.current?.focus()
      return null
    },
  }
}
