import { useState } from 'react'
import { call } from '../../shared/api/index.ts'
import { FormSheet, PASSWORD_REFUSALS, useCommand } from '../../shared/command/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { passwordProblem } from '../../shared/ui/index.ts'
import { FundPasswordField } from './FundPasswordField.tsx'
import { createSuccessHandler } from './protection-state.ts'

export function CancelResetSheet({ onClose }: { onClose: () => void }) {
  const t = useText()
  const command = useCommand()
  const [password, setPassword] = useState('')
  const cancel = () =>
    command.run(
      () => call('account/fund-password/reset/cancel', { password }, { quiet: true }),
      createSuccessHandler(t('security.password.resetCancelled'), onClose),
    )
  return (
    <FormSheet
      open
      onClose={onClose}
      title={t('security.password.cancelReset')}
      text={t('security.password.cancelResetText')}
      submit={t('security.password.cancelReset')}
      busy={command.busy}
      ready={passwordProblem(t, password) === undefined}
      problem={command.problemExcept(...PASSWORD_REFUSALS)}
      onSubmit={cancel}
    >
      <FundPasswordField
        label={t('protection.password.current')}
        value={password}
        onValue={setPassword}
        command={command}
      />
    </FormSheet>
  )
}
