import type { RefusalCode } from '@lode/wire'
import { FormSheet, PASSWORD_REFUSALS } from '../../shared/command/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Note, passwordProblem, SpelledAddress } from '../../shared/ui/index.ts'
import { PresentPassword, useProtection, useRemaining } from '../protection/index.ts'
import { SumRows, When } from './FormParts.tsx'
import styles from './transfer.module.css'
import { inWords, questionText, submitText } from './use-transfer-form.ts'
import { useTransferPress } from './use-transfer-press.ts'

type ConfirmSheetProps = Parameters<typeof useTransferPress>[0] & {
  minutes: number | undefined
  onClose: () => void
}

/** Shows the whole transfer again in words and asks for the fund password. */
export function ConfirmSheet({ minutes, onClose, ...pressing }: ConfirmSheetProps) {
  const t = useText()
  const remaining = useRemaining()
  const { protection, now } = useProtection()
  const { command, submit, password, setPassword, changed, isUnheard, isResumed } = useTransferPress(pressing)
  const { terms, limits, amount } = pressing.proposal
  const words = inWords(limits, amount)
  const lockedUntil = protection?.fundPassword.lockedUntil ?? null

  return (
    <FormSheet
      open
      onClose={onClose}
      title={questionText(t, words)}
      text={t('transfer.confirm.text', { amount: words })}
      submit={submitText(t, words)}
      busy={command.busy}
      ready={passwordProblem(t, password) === undefined && lockedUntil === null}
      problem={command.otherThan(...SAID_ELSEWHERE)}
      onSubmit={submit}
    >
      {changed && (
        <Note tone="lode">
          {t(changed === 'plan-changed' ? 'transfer.confirm.planChanged' : 'transfer.confirm.addressChanged')}
        </Note>
      )}
      {isResumed && !command.busy && <Note tone="sky">{t('transfer.confirm.resumed')}</Note>}
      <div className={styles.summary}>
        <SumRows limits={limits} symbol={limits.symbol} amount={amount} />
      </div>
      <div className={styles.address}>
        <p className={styles.small}>{t('transfer.confirm.to')}</p>
        <SpelledAddress value={terms.address} />
        {terms.own && <p className={styles.small}>{t('protection.address.own')}</p>}
      </div>
      <When terms={terms} limits={limits} amount={amount} minutes={minutes} now={now} />
      <PresentPassword
        typed
        label={t('protection.password.field')}
        value={password}
        onValue={setPassword}
        command={command}
      />
      <div role="status">
        {lockedUntil && <Note tone="rose">{t('transfer.locked', { time: remaining(lockedUntil, now) })}</Note>}
        {isUnheard && <Note tone="lode">{t('transfer.confirm.unheard')}</Note>}
      </div>
    </FormSheet>
  )
}

/** Refusals that are shown at the password, in a note, or back in the form. */
const SAID_ELSEWHERE = [
  ...PASSWORD_REFUSALS,
  ...([
    'plan-changed',
    'output-address-changed',
    'amount-range',
    'balance-insufficient',
    'quota-insufficient',
  ] as const),
] satisfies RefusalCode[]
