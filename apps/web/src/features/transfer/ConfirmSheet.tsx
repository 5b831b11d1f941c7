import type { RefusalCode } from '@lode/wire'
import { FormSheet, PASSWORD_REFUSALS } from '../../shared/command/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Note, passwordProblem, SpelledAddress } from '../../shared/ui/index.ts'
import { FundPasswordField, useProtection, useRemaining } from '../protection/index.ts'
import { PayoutTime, SumRows } from './FormParts.tsx'
import styles from './transfer.module.css'
import { confirmTitle, formatWithSymbol, submitText } from './use-transfer-form.ts'
import { useTransferPress } from './use-transfer-press.ts'

type ConfirmSheetProps = Parameters<typeof useTransferPress>[0] & {
  minutes: number | undefined
  onClose: () => void
}

/** Shows the whole transfer again in words and asks for the fund password. */
export function ConfirmSheet({ minutes, onClose, ...pressOptions }: ConfirmSheetProps) {
  const t = useText()
  const remaining = useRemaining()
  const { protection, now } = useProtection()
  const { command, submit, password, setPassword, changed, isAnswerLost, isResumed } = useTransferPress(pressOptions)
  const { terms, limits, amount } = pressOptions.preview
  const amountWithSymbol = formatWithSymbol(limits, amount)
  const lockedUntil = protection?.fundPassword.lockedUntil ?? null

  return (
    <FormSheet
      open
      onClose={onClose}
      title={confirmTitle(t, amountWithSymbol)}
      text={t('transfer.confirm.text', { amount: amountWithSymbol })}
      submit={submitText(t, amountWithSymbol)}
      busy={command.busy}
      ready={passwordProblem(t, password) === undefined}
      blocked={lockedUntil !== null}
      problem={command.problemExcept(...REFUSALS_SHOWN_ELSEWHERE)}
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
        {terms.own && <p className={styles.small}>{t('security.address.own')}</p>}
      </div>
      <PayoutTime terms={terms} limits={limits} amount={amount} minutes={minutes} now={now} />
      <FundPasswordField
        typed
        label={t('protection.password.field')}
        value={password}
        onValue={setPassword}
        command={command}
      />
      <div role="status">
        {lockedUntil && <Note tone="rose">{t('transfer.locked', { time: remaining(lockedUntil, now) })}</Note>}
        {isAnswerLost && <Note tone="lode">{t('transfer.confirm.unheard')}</Note>}
      </div>
    </FormSheet>
  )
}

/** Refusals that are shown at the password, in a note, or back in the form. */
const REFUSALS_SHOWN_ELSEWHERE = [
  ...PASSWORD_REFUSALS,
  ...([
    'plan-changed',
    'output-address-changed',
    'amount-range',
    'balance-insufficient',
    'quota-insufficient',
  ] as const),
] satisfies RefusalCode[]
