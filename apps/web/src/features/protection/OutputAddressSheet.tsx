import { findLookAlike } from '@lode/kernel'
import { address as addressFormat } from '@lode/wire'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../shared/api/index.ts'
import { FormSheet, PASSWORD_REFUSALS, useCommand } from '../../shared/command/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { session } from '../../shared/session/index.ts'
import { Address, Button, Field, passwordProblem } from '../../shared/ui/index.ts'
import { FundPasswordField } from './FundPasswordField.tsx'
import styles from './protection.module.css'
import { createSuccessHandler, type Protection } from './protection-state.ts'

const ADDRESS_REFUSALS = ['address-format', 'output-address-refused', 'output-address-same'] as const

export function OutputAddressSheet({ protection, onClose }: { protection: Protection; onClose: () => void }) {
  const t = useText()
  const command = useCommand()
  const [typed, setTyped] = useState('')
  const [touched, setTouched] = useState(false)
  const [password, setPassword] = useState('')
  const [compared, setCompared] = useState(false)
  const address = typed.trim()
  const isAddress = addressFormat.safeParse(address).success
  const isBound = address.toLowerCase() === protection.outputAddress.address.toLowerCase()
  const lookAlike = isAddress ? findLookAlike(address, protection.addressesUsed) : null

  function handleTyping(text: string) {
    command.clearProblem()
    setTouched(false)
    setCompared(false)
    setTyped(text)
  }

  function addressProblem(): string | undefined {
    if (isBound) return t('security.address.same')
    if (touched && address !== '' && !isAddress) return t('refusals.address-format')
    return command.problemAt(...ADDRESS_REFUSALS)
  }

  const requestChange = () =>
    command.run(
      () => call('account/output-address', { address, password }, { quiet: true }),
      (asked) => createSuccessHandler(t('security.address.asked'), onClose)(asked.protection),
    )

  return (
    <FormSheet
      open
      onClose={onClose}
      title={t('security.address.sheetTitle')}
      text={t('security.address.sheetText')}
      submit={t('security.address.submit')}
      busy={command.busy}
      ready={isAddress && !isBound && (lookAlike === null || compared) && passwordProblem(t, password) === undefined}
      problem={command.problemExcept(...ADDRESS_REFUSALS, ...PASSWORD_REFUSALS)}
      onSubmit={requestChange}
    >
      <Field
        label={t('security.address.field')}
        value={typed}
        onValue={handleTyping}
        onBlur={() => setTouched(true)}
        placeholder="0x…"
        maxLength={64}
        hint={t('security.address.hint')}
        error={addressProblem()}
      />
      {isAddress && lookAlike === null && <Address value={address} full />}
      {!protection.outputAddress.own && (
        <Button tone="quiet" onClick={() => handleTyping(session.get().account ?? '')}>
          {t('security.address.backToOwn')}
        </Button>
      )}
      {lookAlike !== null && (
        <div className={styles.warning} role="alert">
          <p className={styles.warningText}>
            <TriangleAlert size={20} aria-hidden="true" />
            {t('security.address.lookAlike')}
          </p>
          <dl className={styles.compared}>
            <dt>{t('security.address.lookAlikeKnown')}</dt>
            <dd>
              <Address value={lookAlike} full />
            </dd>
            <dt>{t('security.address.lookAlikeNew')}</dt>
            <dd>
              <Address value={address} full />
            </dd>
          </dl>
          <label className={styles.check}>
            <input type="checkbox" checked={compared} onChange={(event) => setCompared(event.currentTarget.checked)} />
            <span>{t('security.address.lookAlikeConfirm')}</span>
          </label>
        </div>
      )}
      <FundPasswordField
        label={t('protection.password.field')}
        value={password}
        onValue={setPassword}
        command={command}
      />
    </FormSheet>
  )
}
