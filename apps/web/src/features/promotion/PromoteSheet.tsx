import { parseAmount } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import { useRef, useState } from 'react'
import { call, queryClient, read, useChain } from '../../shared/api/index.ts'
import { wholeAmount, wholePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Amount, Note, Pill, passwordProblem, Row, Rows } from '../../shared/ui/index.ts'
import { BalancePart, tellOfOrder, useBalancePart } from '../order/index.ts'
import {
  ChoosePasswordSheet,
  FormSheet,
  PASSWORD_REFUSALS,
  PresentPassword,
  usePress,
  useProtection,
  useRemaining,
} from '../protection/index.ts'
import { LevelRows } from './Ladder.tsx'
import { isSamePress, presses } from './press.ts'
import type { Preview } from './preview.ts'
import styles from './promotion.module.css'
import { Shares } from './Shares.tsx'

type PromoteSheetProps = {
  preview: Preview
  onClose: () => void
  /** Asks for everything anew, and shows what is to be ordered now; null where that is nothing, or an order is open. */
  onLookAgain: () => Promise<Preview | null>
  onMade: (id: string) => void
}

/** Says what a promotion costs, where the money goes and what it gives, and orders it. One press is one key. */
export function PromoteSheet({ preview, onClose, onLookAgain, onMade }: PromoteSheetProps) {
  const t = useText()
  const remaining = useRemaining()
  const { protection, query: profile, now } = useProtection()
  const { data: chain } = useChain()
  const [password, setPassword] = useState('')
  const [isChoosing, setChoosing] = useState(false)
  const [changed, setChanged] = useState<'plan-changed' | 'level-not-next' | null>(null)
  const passwordPlace = useRef<HTMLDivElement>(null)

  const { version, level, airdropFunded } = preview
  const decimals = chain?.tokens.USDT.decimals ?? 0
  const form = useBalancePart({
    ...{ symbol: 'USDT', decimals },
    price: unitsOf(level.price, decimals),
    available: unitsOf(preview.available, decimals),
  })
  const { part, online } = form
  const hasPart = part !== null && part > 0n
  const pressTerms = { planVersion: version, level: level.level, balancePart: form.canonical(part ?? 0n) }
  const fundPassword = protection?.fundPassword
  const lockedUntil = hasPart ? (fundPassword?.lockedUntil ?? null) : null
  const hasNoPassword = hasPart && fundPassword?.chosen === false
  const isPasswordWritten = !hasPart || passwordProblem(t, password) === undefined

  const { command, press, isUnheard, isResumed } = usePress({
    presses,
    terms: pressTerms,
    isSame: (kept) => isSamePress(kept, pressTerms),
    async send(key) {
      const answer = await call(
        'promotion/order',
        { key, ...pressTerms, ...(hasPart && { password }) },
        { quiet: true },
      )
      if (answer.ok) {
        queryClient.setQueryData(read('order/detail', { id: answer.value.id }).queryKey, answer.value)
        tellOfOrder()
      }
      return answer
    },
    onMade: ({ id }) => onMade(id),
    onRefused: react,
  })

  async function submit(): Promise<void> {
    if (hasNoPassword) return setChoosing(true)
    if (!isPasswordWritten) return passwordPlace.current?.querySelector('input')?.focus()
    setChanged(null)
    await press()
  }

  /** What a refusal asks for, beside being said. */
  async function react(reason: RefusalCode): Promise<void> {
    switch (reason) {
      case 'plan-changed':
      case 'level-not-next':
        if (await onLookAgain()) setChanged(reason)
        return
      case 'order-open':
      case 'plan-none':
      case 'balance-part-range':
      case 'balance-insufficient':
        await onLookAgain()
        return
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

  return (
    <>
      <FormSheet
        open
        onClose={onClose}
        title={t('promotion.order.title', { level: level.level })}
        text={t('promotion.order.text', { power: level.power })}
        submit={submitText()}
        busy={command.busy}
        ready={part !== null && lockedUntil === null}
        problem={command.otherThan(...SAID_ELSEWHERE)}
        onSubmit={submit}
      >
        {changed && <Note tone="lode">{t(changed === 'plan-changed' ? CHANGED : 'refusals.level-not-next')}</Note>}
        {isResumed && !command.busy && <Note tone="sky">{t('promotion.order.resumed')}</Note>}
        <Rows>
          <Row label={t('promotion.order.price')}>
            <Amount value={level.price} symbol="USDT" places={wholePlaces('USDT')} />
            <span className={styles.beside}>{t('promotion.planVersion', { version })}</span>
          </Row>
        </Rows>
        <BalancePart form={form} problem={command.at('balance-part-range', 'balance-insufficient')} />
        <div className={styles.actual}>
          <span>{t('promotion.order.actual')}</span>
          <span className={styles.actualAmount}>
            {online === null ? (
              '–'
            ) : (
              <Amount value={form.canonical(online)} symbol="USDT" places={wholePlaces('USDT')} />
            )}
          </span>
          <span className={styles.method}>
            <Pill tone="neutral">{t(`promotion.order.methods.${methodOf(part, online)}`)}</Pill>
          </span>
        </div>
        <Shares shares={preview.shares} />
        <section className={styles.gets} aria-label={t('promotion.order.gets')}>
          <h3 className={styles.heading}>{t('promotion.order.gets')}</h3>
          <LevelRows level={level} />
        </section>
        {!airdropFunded && <Note tone="lode">{t('promotion.airdropUnfunded')}</Note>}
        <p className={styles.risk}>{t('promotion.order.risk')}</p>
        {hasNoPassword && <Note tone="lode">{t('promotion.order.choosePassword')}</Note>}
        {hasPart && !hasNoPassword && (
          <div ref={passwordPlace}>
            <PresentPassword
              typed
              label={t('protection.password.field')}
              value={password}
              onValue={setPassword}
              command={command}
            />
          </div>
        )}
        <div role="status">
          {lockedUntil && <Note tone="rose">{t('transfer.locked', { time: remaining(lockedUntil, now) })}</Note>}
          {isUnheard && <Note tone="lode">{t('promotion.order.unheard')}</Note>}
        </div>
      </FormSheet>
      {/* Beside it and not in it: what is submitted there is not submitted here. */}
      {isChoosing && <ChoosePasswordSheet open onClose={() => setChoosing(false)} />}
    </>
  )

  function submitText(): string {
    if (hasNoPassword) return t('protection.password.choose')
    if (!isPasswordWritten) return t('promotion.order.enterPassword')
    if (online === 0n) return t('promotion.order.submitBalance', { amount: wholeAmount(level.price, 'USDT') })
    return t('promotion.order.submit')
  }
}

const CHANGED = 'promotion.order.planChanged'

function methodOf(part: bigint | null, online: bigint | null): 'online' | 'balance' | 'mixed' {
  if (online === 0n) return 'balance'
  return part === null || part === 0n ? 'online' : 'mixed'
}

function unitsOf(amount: string, decimals: number): bigint {
  const parsed = parseAmount('USDT', decimals, amount)
  if (!parsed.ok) throw new Error(`The pool says ${amount} USDT: ${parsed.error}`)
  return parsed.value
}

/** At the password, at the field, in a note, or by what is shown instead. */
const SAID_ELSEWHERE = [
  ...PASSWORD_REFUSALS,
  ...(['plan-changed', 'level-not-next', 'order-open', 'balance-part-range', 'balance-insufficient'] as const),
] satisfies RefusalCode[]
