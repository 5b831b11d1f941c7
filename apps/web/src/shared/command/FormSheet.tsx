import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { session } from '../session/index.ts'
import { Button, FormTried, Sheet } from '../ui/index.ts'
import styles from './FormSheet.module.css'

type FormSheetProps = {
  open: boolean
  onClose: () => void
  title: string
  text: string
  submit: string
  busy: boolean
  /** False while an input is missing or malformed. The button can be pressed; then the fields show what is wrong. */
  ready: boolean
  /** True if no input helps, for example while the password is locked. The form says why. */
  blocked?: boolean
  /** The problem, if it concerns no single field. */
  problem?: string | undefined
  onSubmit: () => void
  children: ReactNode
}

/** A sheet with a form and one action. The button says what is missing, and is gray only if no input helps. */
export function FormSheet(props: FormSheetProps) {
  const { open, onClose, title, text, submit, busy, ready, blocked = false, problem, onSubmit, children } = props
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [incompletePresses, setIncompletePresses] = useState(0)
  const problemShown = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // On a small screen the end of the form is below the button.
    if (problem) problemShown.current?.scrollIntoView({ block: 'end' })
  }, [problem])
  function send(event: FormEvent) {
    event.preventDefault()
    if (busy || blocked) return
    setIncompletePresses(ready ? 0 : incompletePresses + 1)
    if (ready) return onSubmit()
    // A field that has lost the focus shows what is wrong with its text, also after the Enter key.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }
  useEffect(() => {
    if (incompletePresses > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [incompletePresses])
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      text={text}
      foot={
        <Button type="submit" form={formId} busy={busy} disabled={blocked}>
          {submit}
        </Button>
      }
    >
      <form id={formId} ref={form} className={styles.form} onSubmit={send} noValidate>
        {/* Tells a password manager which account this password belongs to. */}
        <input type="text" autoComplete="username" value={session.get().account ?? ''} readOnly hidden />
        <FormTried value={incompletePresses > 0}>{children}</FormTried>
        <p className={styles.problem} role="alert" ref={problemShown}>
          {problem}
        </p>
      </form>
    </Sheet>
  )
}
