import { useState } from 'react'
import { call } from '../../shared/api/index.ts'
import { FormSheet, PASSWORD_REFUSALS, useCommand } from '../../shared/command/index.ts'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Field, passwordProblem } from '../../shared/ui/index.ts'
import { FundPasswordField } from './FundPasswordField.tsx'
import { createSuccessHandler } from './protection-state.ts'

const DAY_MS = 24 * 3_600_000
const MAX_DAYS = 30

type TransferLockSheetProps = { until: string | null; now: number; onClose: () => void }

export function TransferLockSheet({ until, now, onClose }: TransferLockSheetProps) {
  const t = useText()
  const language = useLanguage()
  const command = useCommand()
  const [typed, setTyped] = useState('7')
  const [password, setPassword] = useState('')
  const days = /^[0-9]{1,2}$/.test(typed) ? Number(typed) : 0
  const isValid = days >= 1 && days <= MAX_DAYS
  const end = now + days * DAY_MS
  const isLonger = until === null || end > Date.parse(until)

  const lock = () =>
    command.run(
      () => call('account/transfer-lock', { days, password }, { quiet: true }),
      createSuccessHandler(t('security.lock.locked'), onClose),
    )

  return (
    <FormSheet
      open
      onClose={onClose}
      title={t('security.lock.sheetTitle')}
      text={t('security.lock.sheetText')}
      submit={t('security.lock.submit')}
      busy={command.busy}
      ready={isValid && isLonger && passwordProblem(t, password) === undefined}
      problem={command.problemExcept(...PASSWORD_REFUSALS)}
      onSubmit={lock}
    >
      <Field
        label={t('security.lock.days')}
        value={typed}
        onValue={setTyped}
        inputMode="numeric"
        maxLength={2}
        hint={
          isValid
            ? t('security.lock.daysHint', { moment: formatMoment(new Date(end).toISOString(), language) })
            : undefined
        }
        error={
          isValid
            ? isLonger
              ? undefined
              : t('security.lock.shorter')
            : typed === ''
              ? undefined
              : t('security.lock.daysWrong')
        }
      />
      <FundPasswordField
        label={t('protection.password.field')}
        value={password}
        onValue={setPassword}
        command={command}
      />
    </FormSheet>
  )
}
