import { useState } from 'react'
import { call } from '../../shared/api/index.ts'
import { FormSheet, PASSWORD_REFUSALS, useCommand } from '../../shared/command/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { newPasswordProblem, PasswordField, passwordProblem } from '../../shared/ui/index.ts'
import { FundPasswordField } from './FundPasswordField.tsx'
import { createSuccessHandler } from './protection-state.ts'

export function ChangePasswordSheet({ onClose }: { onClose: () => void }) {
  const t = useText()
  const command = useCommand()
  const [password, setPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const change = () =>
    command.run(
      () => call('account/fund-password', { password, newPassword }, { quiet: true }),
      createSuccessHandler(t('security.password.changed'), onClose),
    )
  return (
    <FormSheet
      open
      onClose={onClose}
      title={t('security.password.changeTitle')}
      text={t('security.password.changeText')}
      submit={t('security.password.changeTitle')}
      busy={command.busy}
      ready={passwordProblem(t, password) === undefined && newPasswordProblem(t, newPassword) === undefined}
      problem={command.problemExcept(...PASSWORD_REFUSALS)}
      onSubmit={change}
    >
      <FundPasswordField
        label={t('protection.password.current')}
        value={password}
        onValue={setPassword}
        command={command}
      />
      <PasswordField kind="new" label={t('protection.password.next')} value={newPassword} onValue={setNewPassword} />
    </FormSheet>
  )
}
