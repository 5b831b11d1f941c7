import { findLookAlike } from '@lode/kernel'
import { address as addressFormat } from '@lode/wire'
import { useState } from 'react'
import { FormSheet, PASSWORD_REFUSALS, useCommand } from '../../shared/command/index.ts'
import { shortAddress } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { session } from '../../shared/session/index.ts'
import { Address, Button, Field, passwordProblem } from '../../shared/ui/index.ts'
import { FundPasswordField } from './FundPasswordField.tsx'
import { LookAlikeWarning } from './LookAlikeWarning.tsx'
import styles from './protection.module.css'
import { createSuccessHandler, type Protection, readProtectionAgain } from './protection-state.ts'
import { useAddressRequest } from './use-address-request.ts'

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
  const isBound = isSameAddress(address, protection.outputAddress.address)
  const isOwn = isSameAddress(address, session.get().account ?? '')
  const requestAddress = useAddressRequest()
  const lookAlike = isAddress ? findLookAlike(address, protection.addressesUsed) : null

  function handleTyping(text: string) {
    // The wallet is asked to sign the address as it was.
    if (command.busy) return
    command.clearProblem()
    setTouched(false)
    setCompared(false)
    setTyped(text)
  }

  function addressProblem(): string | undefined {
    if (isBound) return t('security.address.same')
    if (touched && address !== '' && !isAddress) return t('refusals.address-format')
    // The form has checked the format already, so the pool objects to the capital and small letters.
    if (command.problemAt('address-format')) return t('security.address.checksum')
    return command.problemAt(...ADDRESS_REFUSALS)
  }

  const requestChange = () =>
    command.run(
      () => requestAddress({ address, password, isOwn }),
      (asked) =>
        createSuccessHandler(
          t('security.address.asked', { address: shortAddress(address) }),
          onClose,
        )(asked.protection),
      (reason) => (reason === 'output-address-waiting' ? readProtectionAgain() : Promise.resolve()),
    )

  return (
    <FormSheet
      open
      onClose={onClose}
      title={t('security.address.sheetTitle')}
      text={t('security.address.sheetText')}
      submit={t(isOwn ? 'security.address.submit' : 'security.address.signAndSubmit')}
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
        <LookAlikeWarning known={lookAlike} given={address} compared={compared} onCompared={setCompared} />
      )}
      <FundPasswordField
        label={t('protection.password.field')}
        value={password}
        onValue={setPassword}
        command={command}
      />
      {!isOwn && <p className={styles.small}>{t('security.address.signing')}</p>}
    </FormSheet>
  )
}

const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
