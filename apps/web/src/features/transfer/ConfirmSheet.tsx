import { ok, type Result, refused } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import { useEffect, useRef, useState } from 'react'
import { call, type Failure, queryClient } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { newKey, type Outcome, sendPress } from '../../shared/press/index.ts'
import { session } from '../../shared/session/index.ts'
import { Note, passwordProblem, SpelledAddress } from '../../shared/ui/index.ts'
import {
  FormSheet,
  isOfPassword,
  PASSWORD_REFUSALS,
  PresentPassword,
  useCommand,
  useProtection,
  useRemaining,
} from '../protection/index.ts'
import { SumRows, When } from './FormParts.tsx'
import { intents, isSamePress, type TransferOrder } from './intent.ts'
import { canonical, judgeAmount } from './limits.ts'
import { tellOfMoney } from './money-moved.ts'
import styles from './transfer.module.css'
import { inWords, limitsIn, type Proposal, submitText, useTerms } from './use-transfer-form.ts'

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
  const command = useCommand()
  const remaining = useRemaining()
  const { protection, query: profile, now } = useProtection()
  const fresh = useTerms()
  const [password, setPassword] = useState('')
  const [isUnheard, setUnheard] = useState(false)
  const [changed, setChanged] = useState<'plan-changed' | 'output-address-changed' | null>(null)
  /** A second tap comes before the first has been drawn. */
  const sends = useRef(false)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  const { terms, limits, amount } = proposal
  const words = inWords(limits, amount)
  const account = session.get().account ?? ''
  const pressTerms = {
    ...{ planVersion: terms.planVersion, address: terms.address, symbol: limits.symbol },
    amount: canonical(limits, amount),
  }
  const earlier = intents.keptOf(account).find((kept) => isSamePress(kept, pressTerms))
  const lockedUntil = protection?.fundPassword.lockedUntil ?? null

  async function send(): Promise<Outcome<TransferOrder>> {
    const outcome = await sendPress({
      presses: intents,
      press: { key: newKey(), account, ...pressTerms, shownAt: terms.at, pressedAt: Date.now() },
      earlier,
      send: ({ key }) => call('transfer/order', { key, ...pressTerms, password }, { quiet: true }),
      isOfItsOwn: isOfPassword,
      onUnheard: () => setUnheard(true),
      signal: leaving.current.signal,
    })
    if (outcome.kind === 'done') tellOfMoney()
    return outcome
  }

  async function press(): Promise<void> {
    if (sends.current) return
    sends.current = true
    setChanged(null)
    await command.run(
      async (): Promise<Result<TransferOrder, Failure>> => {
        const outcome = await send()
        return outcome.kind === 'done' ? ok(outcome.value) : refused(outcome.failure)
      },
      ({ id }) => leaving.current.signal.aborted || onMade(id),
      react,
    )
    sends.current = false
    setUnheard(false)
  }

  /** What a refusal asks for, beside being said. */
  async function react(reason: RefusalCode): Promise<void> {
    if (leaving.current.signal.aborted) return
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
      title={t('transfer.confirm.title', { amount: words })}
      text={t('transfer.confirm.text', { amount: words })}
      submit={submitText(t, words)}
      busy={command.busy}
      ready={passwordProblem(t, password) === undefined && lockedUntil === null}
      problem={command.otherThan(...SAID_ELSEWHERE)}
      onSubmit={press}
    >
      {changed && (
        <Note tone="lode">
          {t(changed === 'plan-changed' ? 'transfer.confirm.planChanged' : 'transfer.confirm.addressChanged')}
        </Note>
      )}
      {earlier && !command.busy && <Note tone="sky">{t('transfer.confirm.resumed')}</Note>}
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
