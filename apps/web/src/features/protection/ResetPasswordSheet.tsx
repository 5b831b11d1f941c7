import { useState } from 'react'
import { call } from '../../shared/api/index.ts'
import { FormSheet, useCommand } from '../../shared/command/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { newPasswordProblem, PasswordField } from '../../shared/ui/index.ts'
import styles from './protection.module.css'
import { createSuccessHandler } from './protection-state.ts'
import { signChallenge } from './sign-challenge.ts'

export function ResetPasswordSheet({ onClose }: { onClose: () => void }) {
  const t = useText()
  const command = useCommand()
  const [newPassword, setNewPassword] = useState('')
  const reset = () =>
    command.run(
      async () => {
        const signed = await signChallenge({ purpose: 'fund-password-reset' })
        return signed.ok
          ? call('account/fund-password/reset', { ...signed.value, newPassword }, { quiet: true })
          : signed
      },
      createSuccessHandler(t('security.password.resetAsked'), onClose),
    )
  return (
    <FormSheet
      open
      onClose={onClose}
      title={t('security.password.resetTitle')}
      text={t('security.password.resetText')}
      submit={t('security.password.resetSubmit')}
      busy={command.busy}
      ready={newPasswordProblem(t, newPassword) === undefined}
      problem={command.problemExcept()}
      onSubmit={reset}
    >
      <ul className={styles.terms}>
        <li>{t('security.password.resetWait')}</li>
        <li>{t('security.password.resetHold')}</li>
        <li>{t('security.password.resetRefuse')}</li>
        <li>{t('security.password.resetSessions')}</li>
        <li>{t('security.password.resetNotice')}</li>
      </ul>
      <PasswordField kind="new" label={t('protection.password.next')} value={newPassword} onValue={setNewPassword} />
      <p className={styles.small}>{t('security.password.resetPreview')}</p>
    </FormSheet>
  )
}
