import { type Asset, parseAmount, type Result } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import { type ReactNode, useRef, useState } from 'react'
import { type Failure, queryClient, read, useChain } from '../../shared/api/index.ts'
import { wholeAmount, wholePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { Press, Presses } from '../../shared/press/index.ts'
import { Amount, Note, Pill, passwordProblem, Row, Rows } from '../../shared/ui/index.ts'
import {
  ChoosePasswordSheet,
  FormSheet,
  PASSWORD_REFUSALS,
  PresentPassword,
  usePress,
  useProtection,
  useRemaining,
} from '../protection/index.ts'
import { BalancePart } from './BalancePart.tsx'
import styles from './order.module.css'
import type { PaidOrder } from './order.ts'
import { tellOfOrder } from './order-changed.ts'
import { useBalancePart } from './use-balance-part.ts'

/** How an order is to be paid. */
type Means = { readonly balancePart: string; readonly password?: string }

type OrderFormSheetProps<Terms> = {
  title: string
  text: string
  /** What is to be paid, and what it is called: a price, or a quantity. */
  price: { label: string; symbol: Asset; amount: string }
  planVersion: number
  available: string
  /** The part from the balance that is filled in to begin with. */
  firstPart?: string
  presses: Presses<Terms & Pick<Means, 'balancePart'> & Press>
  terms: Terms
  isSame: (kept: Terms) => boolean
  send: (key: string, means: Means) => Promise<Result<PaidOrder, Failure>>
  /** Refusals that are shown by what `onRefused` does, beside those that every order has. */
  saidElsewhere: readonly RefusalCode[]
  /** Does what a refusal asks for: mostly to look at everything anew. */
  onRefused: (reason: RefusalCode) => Promise<void>
  onClose: () => void
  onMade: (id: string) => void
  /** Before all else: what has changed since it was last looked at. */
  notes: ReactNode
  /** What is had for it, and what is to be known before it is ordered. */
  children: ReactNode
}

/** Says what an order is about, asks how it is to be paid, and makes it. One press is one key. */
export function OrderFormSheet<Terms extends object>(props: OrderFormSheetProps<Terms>) {
  const { title, text, price, planVersion, available, firstPart, presses, terms, isSame, send } = props
  const { saidElsewhere, onRefused, onClose, onMade, notes, children } = props
  const t = useText()
  const remaining = useRemaining()
  const { protection, query: profile, now } = useProtection()
  const { data: chain } = useChain()
  const [password, setPassword] = useState('')
  const [isChoosing, setChoosing] = useState(false)
  const passwordPlace = useRef<HTMLDivElement>(null)

  const { symbol } = price
  const decimals = chain?.tokens[symbol].decimals ?? 0
  const unitsOf = (amount: string): bigint => {
    const parsed = parseAmount(symbol, decimals, amount)
    if (!parsed.ok) throw new Error(`The pool says ${amount} ${symbol}: ${parsed.error}`)
    return parsed.value
  }
  const form = useBalancePart({
    symbol,
    decimals,
    price: unitsOf(price.amount),
    available: unitsOf(available),
    ...(firstPart !== undefined && { first: firstPart }),
  })
  const { part, online } = form
  const balancePart = form.canonical(part ?? 0n)
  const hasPart = part !== null && part > 0n
  const fundPassword = protection?.fundPassword
  const lockedUntil = hasPart ? (fundPassword?.lockedUntil ?? null) : null
  const hasNoPassword = hasPart && fundPassword?.chosen === false
  const isPasswordWritten = !hasPart || passwordProblem(t, password) === undefined

  const { command, press, isUnheard, isResumed } = usePress({
    presses,
    terms: { ...terms, balancePart },
    isSame: (kept) => kept.balancePart === balancePart && isSame(kept),
    async send(key) {
      const answer = await send(key, { balancePart, ...(hasPart && { password }) })
      if (answer.ok) {
        queryClient.setQueryData(read('order/detail', { id: answer.value.id }).queryKey, answer.value)
        tellOfOrder()
      }
      return answer
    },
    onMade: ({ id }) => onMade(id),
    async onRefused(reason) {
      switch (reason) {
        case 'fund-password-wrong':
        case 'fund-password-locked':
        case 'fund-password-unset':
          setPassword('')
          await profile.refetch()
          return
        default:
          await onRefused(reason)
      }
    },
  })

  async function submit(): Promise<void> {
    if (hasNoPassword) return setChoosing(true)
    if (!isPasswordWritten) return passwordPlace.current?.querySelector('input')?.focus()
    await press()
  }

  return (
    <>
      <FormSheet
        open
        onClose={onClose}
        title={title}
        text={text}
        submit={submitText()}
        busy={command.busy}
        ready={part !== null && lockedUntil === null}
        problem={command.otherThan(...SAID_HERE, ...saidElsewhere)}
        onSubmit={submit}
      >
        {notes}
        {isResumed && !command.busy && <Note tone="sky">{t('order.form.resumed')}</Note>}
        <Rows>
          <Row label={price.label}>
            <Amount value={price.amount} symbol={symbol} places={wholePlaces(symbol)} />
            <span className={styles.beside}>{t('order.planVersion', { version: planVersion })}</span>
          </Row>
        </Rows>
        <BalancePart form={form} problem={command.at('balance-part-range', 'balance-insufficient')} />
        <div className={styles.actual}>
          <span>{t('order.form.actual')}</span>
          <span className={styles.actualAmount}>
            {online === null ? (
              '–'
            ) : (
              <Amount value={form.canonical(online)} symbol={symbol} places={wholePlaces(symbol)} />
            )}
          </span>
          <span className={styles.method}>
            <Pill tone="neutral">{t(`order.form.methods.${methodOf(part, online)}`)}</Pill>
          </span>
        </div>
        {children}
        {hasNoPassword && <Note tone="lode">{t('order.form.choosePassword')}</Note>}
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
          {isUnheard && <Note tone="lode">{t('order.form.unheard')}</Note>}
        </div>
      </FormSheet>
      {/* Beside it and not in it: what is submitted there is not submitted here. */}
      {isChoosing && <ChoosePasswordSheet open onClose={() => setChoosing(false)} />}
    </>
  )

  function submitText(): string {
    if (hasNoPassword) return t('protection.password.choose')
    if (!isPasswordWritten) return t('order.form.enterPassword')
    if (online === 0n) return t('order.form.submitBalance', { amount: wholeAmount(price.amount, symbol) })
    return t('order.form.submit')
  }
}

function methodOf(part: bigint | null, online: bigint | null): 'online' | 'balance' | 'mixed' {
  if (online === 0n) return 'balance'
  return part === null || part === 0n ? 'online' : 'mixed'
}

/** At the password, at the field of the part, or by the order that is opened instead. */
const SAID_HERE = [
  ...PASSWORD_REFUSALS,
  ...(['plan-changed', 'order-open', 'balance-part-range', 'balance-insufficient'] as const),
] satisfies RefusalCode[]
