import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { session } from '../session/index.ts'
import { Button, Sheet } from '../ui/index.ts'
import styles from './FormSheet.module.css'

type FormSheetProps = {
  open: boolean
  onClose: () => void
  title: string
  text: string
  submit: string
  busy: boolean
  /** False while an input is missing or malformed. The fields show what is wrong. */
  ready: boolean
  /** The problem, if it concerns no single field. */
  problem?: string | undefined
  onSubmit: () => void
  children: ReactNode
}

/** A sheet with a form and one action. */
export function FormSheet(props: FormSheetProps) {
  const { open, onClose, title, text, submit, busy, ready, problem, onSubmit, children } = props
  const formId = useId()
  const problemShown = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // On a small screen the end of the form is below the button.
    if (problem) problemShown.current?.scrollIntoView({ block: 'end' })
  }, [problem])
  function send(event: FormEvent) {
    event.preventDefault()
    if (ready && !busy) onSubmit()
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      text={text}
      foot={
        <Button type="submit" form={formId} busy={busy} disabled={!ready}>
          {submit}
        </Button>
      }
    >
      <form id={formId} className={styles.form} onSubmit={send} noValidate>
        {/* Tells a password manager which account this password belongs to. */}
        <input type="text" autoComplete="username" value={session.get().account ?? ''} readOnly hidden />
        {children}
        <p className={styles.problem} role="alert" ref={problemShown}>
          {problem}
        </p>
      </form>
    </Sheet>
  )
}
