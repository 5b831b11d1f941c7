import { lookAlikeOf } from '@lode/kernel'
import { address as addressFormat } from '@lode/wire'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../shared/api/index.ts'
import { FormSheet, PASSWORD_REFUSALS, useCommand } from '../../shared/command/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { session } from '../../shared/session/index.ts'
import { Address, Button, Field, passwordProblem } from '../../shared/ui/index.ts'
import { PresentPassword } from './PresentPassword.tsx'
import styles from './protection.module.css'
import { type Protection, whenChanged } from './protection-state.ts'

const ADDRESS_REFUSALS = ['address-format', 'output-address-refused', 'output-address-same'] as const

export function OutputAddressSheet({ protection, onClose }: { protection: Protection; onClose: () => void }) {
  const t = useText()
  const command = useCommand()
  const [typed, setTyped] = useState('')
  const [looked, setLooked] = useState(false)
  const [password, setPassword] = useState('')
  const [compared, setCompared] = useState(false)
  const address = typed.trim()
  const isAddress = addressFormat.safeParse(address).success
  const isBound = address.toLowerCase() === protection.outputAddress.address.toLowerCase()
  const alike = isAddress ? lookAlikeOf(address, protection.addressesUsed) : null

  function type(text: string) {
    command.forget()
    setLooked(false)
    setCompared(false)
    setTyped(text)
  }

  function addressProblem(): string | undefined {
    if (isBound) return t('protection.address.same')
    if (looked && address !== '' && !isAddress) return t('refusals.address-format')
    return command.at(...ADDRESS_REFUSALS)
  }

  const ask = () =>
    command.run(
      () => call('account/output-address', { address, password }, { quiet: true }),
      (asked) => whenChanged(t('protection.address.asked'), onClose)(asked.protection),
    )

  return (
    <FormSheet
      open
      onClose={onClose}
      title={t('protection.address.sheetTitle')}
      text={t('protection.address.sheetText')}
      submit={t('protection.address.submit')}
      busy={command.busy}
      ready={isAddress && !isBound && (alike === null || compared) && passwordProblem(t, password) === undefined}
      problem={command.otherThan(...ADDRESS_REFUSALS, ...PASSWORD_REFUSALS)}
      onSubmit={ask}
    >
      <Field
        label={t('protection.address.field')}
        value={typed}
        onValue={type}
        onBlur={() => setLooked(true)}
        placeholder="0x…"
        maxLength={64}
        hint={t('protection.address.hint')}
        error={addressProblem()}
      />
      {isAddress && alike === null && <Address value={address} full />}
      {!protection.outputAddress.own && (
        <Button tone="quiet" onClick={() => type(session.get().account ?? '')}>
          {t('protection.address.backToOwn')}
        </Button>
      )}
      {alike !== null && (
        <div className={styles.warning} role="alert">
          <p className={styles.warningText}>
            <TriangleAlert size={20} aria-hidden="true" />
            {t('protection.address.lookAlike')}
          </p>
          <dl className={styles.compared}>
            <dt>{t('protection.address.lookAlikeKnown')}</dt>
            <dd>
              <Address value={alike} full />
            </dd>
            <dt>{t('protection.address.lookAlikeNew')}</dt>
            <dd>
              <Address value={address} full />
            </dd>
          </dl>
          <label className={styles.check}>
            <input type="checkbox" checked={compared} onChange={(event) => setCompared(event.currentTarget.checked)} />
            <span>{t('protection.address.lookAlikeConfirm')}</span>
          </label>
        </div>
      )}
      <PresentPassword
        label={t('protection.password.field')}
        value={password}
        onValue={setPassword}
        command={command}
      />
    </FormSheet>
  )
}
