import { isEasilyGuessed } from '@lode/kernel'
import { fundPassword } from '@lode/wire'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { type TextFunction, useText } from '../i18n/index.ts'
import { Field } from './Field.tsx'
import { IconButton } from './IconButton.tsx'

const MAX_LENGTH = 20
const MIN_LENGTH = 6

/** What is wrong with the format of a fund password; undefined if nothing is. */
export function passwordProblem(t: TextFunction, password: string): string | undefined {
  if (fundPassword.safeParse(password).success) return undefined
  return `${t('refusals.password-format')} · ${t('protection.password.hint')}`
}

const guessProblem = (t: TextFunction, password: string): string | undefined =>
  fundPassword.safeParse(password).success && isEasilyGuessed(password)
    ? t('refusals.password-easily-guessed')
    : undefined

/** What is wrong with a fund password that the member is choosing; undefined if nothing is. */
export const newPasswordProblem = (t: TextFunction, password: string): string | undefined =>
  passwordProblem(t, password) ?? guessProblem(t, password)

type PasswordFieldProps = Omit<ComponentProps<typeof Field>, 'hint' | 'end' | 'type' | 'autoComplete'> & {
  /**
   * Tells the browser whether to offer saving (new password), filling in (present password) or neither (a password that
   * moves money).
   */
  kind: Kind
}

type Kind = 'new' | 'present' | 'typed'
const autoComplete: Readonly<Record<Kind, string>> = { new: 'new-password', present: 'current-password', typed: 'off' }

/**
 * An input for a fund password. The phone's keyboard corrects, capitalizes and suggests nothing. The member can show
 * the text instead of typing it twice. A wrong format is reported when the field loses the focus, not while typing. A
 * new password that is easily guessed is reported while typing: its format is right, and the form is not ready.
 */
export function PasswordField({ kind, value, error, onBlur, onValue, ...rest }: PasswordFieldProps) {
  const t = useText()
  const [shown, setShown] = useState(false)
  const [hasLostFocus, setHasLostFocus] = useState(false)
  const formatProblem = hasLostFocus && value !== '' ? passwordProblem(t, value) : undefined
  const newProblem = kind === 'new' ? guessProblem(t, value) : undefined
  return (
    <Field
      maxLength={MAX_LENGTH}
      minLength={MIN_LENGTH}
      enterKeyHint="done"
      {...rest}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete[kind]}
      value={value}
      onValue={(text) => {
        setHasLostFocus(false)
        onValue(text)
      }}
      onBlur={(event) => {
        setHasLostFocus(true)
        onBlur?.(event)
      }}
      hint={t('protection.password.hint')}
      error={error ?? formatProblem ?? newProblem}
      end={
        <IconButton
          label={shown ? t('protection.password.hide') : t('protection.password.show')}
          icon={shown ? <EyeOff size={20} /> : <Eye size={20} />}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
