import type { Language } from '@lode/wire'
import type { ReactNode } from 'react'
import { type SurveyPart, surveyParts } from '../../chain/payment/index.ts'
import { languageFacts, type TextFunction, useLanguage, useText } from '../../shared/i18n/index.ts'
import { BlockedNote } from '../../shared/pool/index.ts'
import { Button } from '../../shared/ui/index.ts'
import type { SurveyState } from './use-survey.ts'

type PayButtonProps = {
  surveyed: SurveyState
  onReadAgain: () => void
  /** Why the payment cannot be made as it is. */
  objection: string | null
  busy: boolean
  disabled?: boolean
  onPay: () => void
  /** The button's label. */
  children: ReactNode
}

/**
 * The button that pays, and above it what prevents the payment. If the chain could not be read, the button reads again.
 */
export function PayButton({
  surveyed,
  onReadAgain,
  objection,
  busy,
  disabled = false,
  onPay,
  children,
}: PayButtonProps) {
  const t = useText()
  const language = useLanguage()
  const isReading = surveyed.kind === 'reading'
  const message = surveyed.kind === 'unread' ? unreadText(t, language, surveyed.parts) : isReading ? null : objection
  return (
    <>
      <div role="status">{message && <BlockedNote>{message}</BlockedNote>}</div>
      {surveyed.kind === 'unread' ? (
        <Button onClick={onReadAgain}>{t('common.retry')}</Button>
      ) : (
        <Button busy={busy || isReading} disabled={disabled} onClick={onPay}>
          {children}
        </Button>
      )}
    </>
  )
}

function unreadText(t: TextFunction, language: Language, parts: readonly SurveyPart[]): string {
  if (parts.length === surveyParts.length) return t('payment.unread.nothing')
  const names = parts.map((part) => t(`payment.unread.${part}`))
  return t('payment.unread.some', { what: new Intl.ListFormat(languageFacts[language].locale).format(names) })
}
