import type { RefusalCode } from '@lode/wire'
import { useState } from 'react'
import { call, queryClient } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Note, passwordProblem, SpelledAddress } from '../../shared/ui/index.ts'
import {
  FormSheet,
  PASSWORD_REFUSALS,
  PresentPassword,
  usePress,
  useProtection,
  useRemaining,
} from '../protection/index.ts'
import { SumRows, When } from './FormParts.tsx'
import { intents, isSamePress } from './intent.ts'
import { canonical, judgeAmount } from './limits.ts'
import { tellOfMoney } from './money-moved.ts'
import styles from './transfer.module.css'
import { inWords, limitsIn, type Proposal, questionText, submitText, useTerms } from './use-transfer-form.ts'

type ConfirmSheetProps = {
  proposal: Proposal
  minutes: number | undefined
  onClose: () => void
  /** The same amount under the terms of now, to be confirmed anew. */
  onPropose: (proposal: Proposal) => void
  /** The amount cannot be transferred after all: back to the form, which says why at its field. */
  onObjection: (reason: RefusalCode) => void
  onMade: (id: string) => void
}

/** Says it all once more in words, and asks for the fund password. One press is one key. */
export function ConfirmSheet({ proposal, minutes, onClose, onPropose, onObjection, onMade }: ConfirmSheetProps) {
  const t = useText()
  const remaining = useRemaining()
  const { protection, query: profile, now } = useProtection()
  const fresh = useTerms()
  const [password, setPassword] = useState('')
  const [changed, setChanged] = useState<'plan-changed' | 'output-address-changed' | null>(null)

  const { terms, limits, amount } = proposal
  const words = inWords(limits, amount)
  const pressTerms = {
    planVersion: terms.planVersion,
    address: terms.address,
    symbol: limits.symbol,
    amount: canonical(limits, amount),
  }
  const lockedUntil = protection?.fundPassword.lockedUntil ?? null

  const { command, press, isUnheard, isResumed } = usePress({
    presses: intents,
    terms: { ...pressTerms, shownAt: terms.at },
    isSame: (kept) => isSamePress(kept, pressTerms),
    async send(key) {
      const answer = await call('transfer/order', { key, ...pressTerms, password }, { quiet: true })
      if (answer.ok) tellOfMoney()
      return answer
    },
    onMade: ({ id }) => onMade(id),
    onRefused: react,
  })

  async function submit(): Promise<void> {
    setChanged(null)
    await press()
  }

  /** What a refusal asks for, beside being said. */
  async function react(reason: RefusalCode): Promise<void> {
    switch (reason) {
      case 'plan-changed':
      case 'output-address-changed':
        return await lookAgain(reason)
      case 'amount-range':
      case 'balance-insufficient':
      case 'quota-insufficient':
        await fresh.refetch()
        return onObjection(reason)
      case 'fund-password-wrong':
      case 'fund-password-locked':
      case 'fund-password-unset':
        setPassword('')
        await profile.refetch()
        return
      default:
        return
    }
  }

  async function lookAgain(reason: 'plan-changed' | 'output-address-changed'): Promise<void> {
    const { data } = await fresh.refetch()
    void queryClient.invalidateQueries({ queryKey: ['account/profile'] })
    const next = data && limitsIn(data, limits.symbol, limits.decimals)
    if (!data || !next) return
    if (judgeAmount(next, amount)) return onObjection(reason)
    setChanged(reason)
    onPropose({ terms: data, limits: next, amount })
  }

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

/** At the password, in a note, or back in the form. */
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
