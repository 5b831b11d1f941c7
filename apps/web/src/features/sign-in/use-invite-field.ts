import { useEffect, useRef, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { formatInviteText, parseInviteText } from './invite-text.ts'
import type { SignInState } from './sign-in-machine.ts'

type RefusedInvite = Extract<SignInState, { at: 'choosing' }>['inviteProblem']

/** The field of the invitation code: its input and its error. */
export function useInviteField(initialText: string, refused: RefusedInvite) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(() => formatInviteText(initialText))
  const [touched, setTouched] = useState(text !== '')
  /** The code that the server refused. The error is shown only while the field has this code. */
  const [refusedCode, setRefusedCode] = useState<string | null>(null)

  useEffect(() => {
    if (refused === null) return
    setRefusedCode(input.current?.value ?? null)
    input.current?.focus()
  }, [refused])

  function error(): string | undefined {
    if (touched && text.trim() === '') return t('signIn.inviteMissing')
    if (touched && !parseInviteText(text).ok) return t('refusals.invite-format')
    return refused !== null && text === refusedCode ? t(`refusals.${refused}`) : undefined
  }

  return {
    input,
    text,
    error: error(),
    write(next: string): void {
      setText(next)
      setTouched(false)
    },
    tidy(): void {
      setText(formatInviteText(text))
      setTouched(text !== '')
    },
    /** The code if it is valid. Otherwise null, and the field shows the error. */
    read(): string | null {
      const code = parseInviteText(text)
      setTouched(true)
      if (code.ok) return code.value
      input.current?.focus()
      return null
    },
  }
}
