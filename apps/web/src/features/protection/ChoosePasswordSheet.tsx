import { ok, refused } from '@lode/kernel'
import { setupCode as setupCodeFormat } from '@lode/wire'
import { useState } from 'react'
import { call } from '../../shared/api/index.ts'
import { FormSheet, useCommand } from '../../shared/command/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { Button, Field, Note, NoteActions, newPasswordProblem, PasswordField } from '../../shared/ui/index.ts'
import styles from './protection.module.css'
import { createSuccessHandler } from './protection-state.ts'
import { ResetPasswordSheet } from './ResetPasswordSheet.tsx'
import { signChallenge } from './sign-challenge.ts'

type ChoosePasswordSheetProps = {
  open: boolean
  onClose: () => void
  /** The set-up code, if the member has just registered. */
  code?: string
  onChosen?: () => void
}

const groupInFours = (code: string): string => (code.match(/.{1,4}/g) ?? []).join('-')

export function ChoosePasswordSheet({ open, onClose, code = '', onChosen }: ChoosePasswordSheetProps) {
  const t = useText()
  const chooseCommand = useCommand()
  const codeCommand = useCommand()
  const [setupCode, setSetupCode] = useState(groupInFours(code))
  const [touched, setTouched] = useState(false)
  const [newPassword, setNewPassword] = useState('')
  const [isResetting, setResetting] = useState(false)
  const isCodeComplete = setupCodeFormat.safeParse(setupCode).success

  const choose = () =>
    chooseCommand.run(
      () => call('account/fund-password', { setupCode, newPassword }, { quiet: true }),
      createSuccessHandler(t('protection.password.chosen'), () => {
        onChosen?.()
        onClose()
      }),
    )

  const askForCode = () =>
    codeCommand.run(
      async () => {
        const signed = await signChallenge({ purpose: 'setup-code' })
        if (!signed.ok) return signed
        const issued = await call('account/fund-password/setup-code', signed.value, { quiet: true })
        return issued.ok ? ok(issued.value.setupCode) : refused(issued.error)
      },
      (issued) => {
        setSetupCode(groupInFours(issued))
        chooseCommand.clearProblem()
        toast.success(t('protection.password.codeGiven'))
      },
    )

  const codeRefusal = codeCommand.problemAt('setup-code-refused')
  if (isResetting) return <ResetPasswordSheet onClose={onClose} />
  return (
    <FormSheet
      open={open}
      onClose={onClose}
      title={t('protection.password.choose')}
      text={t('protection.password.chooseText')}
      submit={t('protection.password.choose')}
      busy={chooseCommand.busy}
      ready={isCodeComplete && newPasswordProblem(t, newPassword) === undefined}
      blocked={codeCommand.busy}
      problem={chooseCommand.problemExcept('setup-code-wrong') ?? codeCommand.problemExcept('setup-code-refused')}
      onSubmit={choose}
    >
      <Field
        label={t('protection.password.code')}
        value={setupCode}
        onValue={(text) => {
          setTouched(false)
          chooseCommand.clearProblem()
          setSetupCode(text)
        }}
        onBlur={() => setTouched(setupCode !== '')}
        autoCapitalize="characters"
        maxLength={40}
        hint={t('protection.password.codeHint')}
        error={
          chooseCommand.problemAt('setup-code-wrong') ??
          (touched && !isCodeComplete ? t('protection.password.codeWrong') : undefined)
        }
      />
      <PasswordField kind="new" label={t('protection.password.field')} value={newPassword} onValue={setNewPassword} />
      {code === '' && (
        <div className={styles.aside}>
          <p className={styles.small}>{t('protection.password.codeLostText')}</p>
          <Button tone="quiet" busy={codeCommand.busy} onClick={askForCode}>
            {t('protection.password.codeLost')}
          </Button>
          <div role="alert">
            {codeRefusal && (
              <Note tone="rose">
                {codeRefusal}
                <NoteActions>
                  <Button tone="plain" onClick={() => setResetting(true)}>
                    {t('security.password.resetTitle')}
                  </Button>
                </NoteActions>
              </Note>
            )}
          </div>
        </div>
      )}
    </FormSheet>
  )
}
