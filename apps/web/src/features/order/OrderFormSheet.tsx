import type { RefusalCode } from '@lode/wire'
import { type ReactNode, useRef, useState } from 'react'
import { FormSheet, PASSWORD_REFUSALS } from '../../shared/command/index.ts'
import { formatWholeAmount, wholePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Amount, Note, Row, Rows } from '../../shared/ui/index.ts'
import {
  ChoosePasswordSheet,
  FundPasswordField,
  NoPasswordNote,
  useProtection,
  useRemaining,
} from '../protection/index.ts'
import { BalancePart } from './BalancePart.tsx'
import styles from './order.module.css'
import type { BalancePartForm } from './use-balance-part.ts'
import { type OrderForm, type OrderFormOptions, useOrderForm } from './use-order-form.ts'
import { WalletPart } from './WalletPart.tsx'

export type OrderFormSheetProps<Terms> = OrderFormOptions<Terms> & {
  title: string
  text: string
  planVersion: number
  /** Refusals that `onRefused` shows, in addition to those that every order has. */
  refusalsShownElsewhere: readonly RefusalCode[]
  onClose: () => void
  /** Shown at the top, if the terms have changed since the member last saw them. */
  notes: ReactNode
  /** What the order gives, and what the member should know before ordering. */
  children: ReactNode
}

/**
 * Shows the terms of an order, asks how it is paid, and creates it. If the wallet can pay the rest at once, the same
 * press goes on to the payment. One press has one key.
 */
export function OrderFormSheet<Terms extends object>(props: OrderFormSheetProps<Terms>) {
  const { title, text, price, planVersion, refusalsShownElsewhere, onClose, notes, children } = props
  const t = useText()
  const form = useOrderForm(props)
  const { command, balance, wallet, hasNoPassword, isPasswordReady } = form
  const [isChoosingPassword, setChoosing] = useState(false)
  const passwordBox = useRef<HTMLDivElement>(null)

  async function submit(): Promise<void> {
    if (hasNoPassword) return setChoosing(true)
    if (!isPasswordReady) return passwordBox.current?.querySelector('input')?.focus()
    await form.press()
  }

  function submitText(): string {
    if (hasNoPassword) return t('protection.password.choose')
    if (!isPasswordReady) return t('order.form.enterPassword')
    if (balance.online === 0n)
      return t('order.form.submitBalance', { amount: formatWholeAmount(price.amount, price.symbol) })
    if (wallet.requests === null && !wallet.isReading) return t('order.form.submit')
    const online = formatWholeAmount(balance.canonical(balance.online ?? 0n), price.symbol)
    return t('order.form.submitOnline', { amount: online })
  }

  // What keeps the wallet from paying must be read before the order is placed, so it is not at the end.
  const canWalletPay = wallet.tooLittle === null && wallet.obstacle === null
  const walletPart = balance.online !== null && balance.online > 0n && (
    <WalletPart wallet={wallet} symbol={price.symbol} online={balance.online} onLeave={onClose} />
  )
  return (
    <>
      <FormSheet
        open
        onClose={onClose}
        title={title}
        text={text}
        submit={submitText()}
        busy={command.busy || (wallet.isReading && isPasswordReady)}
        ready={balance.part !== null}
        blocked={form.lockedUntil !== null}
        problem={command.problemExcept(...REFUSALS_SHOWN_HERE, ...refusalsShownElsewhere)}
        onSubmit={submit}
      >
        {notes}
        {form.isResumed && !command.busy && <Note tone="sky">{t('order.form.resumed')}</Note>}
        {hasNoPassword ? (
          <Note tone="lode">{t('order.form.choosePassword')}</Note>
        ) : (
          <NoPasswordNote onChoose={() => setChoosing(true)} />
        )}
        <Rows>
          <Row label={price.label}>
            <Amount value={price.amount} symbol={price.symbol} places={wholePlaces(price.symbol)} />
            <span className={styles.beside}>{t('order.planVersion', { version: planVersion })}</span>
          </Row>
        </Rows>
        <BalancePart
          form={balance}
          problem={command.problemAt('balance-part-range', 'balance-insufficient')}
          isWalletShort={wallet.tooLittle !== null}
        />
        <PaidOnline balance={balance} />
        {!canWalletPay && walletPart}
        {children}
        {form.hasPart && !hasNoPassword && (
          <div ref={passwordBox}>
            <FundPasswordField
              typed
              label={t('protection.password.field')}
              value={form.password}
              onValue={form.setPassword}
              command={command}
            />
          </div>
        )}
        {canWalletPay && walletPart}
        <FormStatus form={form} />
      </FormSheet>
      {/* Beside the form and not inside it, so that submitting one does not submit the other. */}
      {isChoosingPassword && <ChoosePasswordSheet open onClose={() => setChoosing(false)} />}
    </>
  )
}

/** The amount that is left to pay from the wallet, and both parts of the price. */
function PaidOnline({ balance }: { balance: BalancePartForm }) {
  const t = useText()
  const { symbol, part, online } = balance
  return (
    <div className={styles.actual}>
      <span>{t('order.form.actual')}</span>
      <span className={styles.actualAmount}>
        {online === null ? (
          '–'
        ) : (
          <Amount value={balance.canonical(online)} symbol={symbol} places={wholePlaces(symbol)} />
        )}
      </span>
      {part !== null && online !== null && (
        <span className={styles.split}>
          {t('order.parts', {
            balance: formatWholeAmount(balance.canonical(part), symbol),
            online: formatWholeAmount(balance.canonical(online), symbol),
          })}
        </span>
      )}
    </div>
  )
}

function FormStatus({ form: { lockedUntil, isAnswerLost } }: { form: OrderForm }) {
  const t = useText()
  const remaining = useRemaining()
  const { now } = useProtection()
  return (
    <div role="status">
      {lockedUntil && <Note tone="rose">{t('transfer.locked', { time: remaining(lockedUntil, now) })}</Note>}
      {isAnswerLost && <Note tone="lode">{t('order.form.unheard')}</Note>}
    </div>
  )
}

/** Refusals that are shown at the password, at the balance field, in the notes, or by opening the open order. */
const REFUSALS_SHOWN_HERE = [
  ...PASSWORD_REFUSALS,
  ...(['plan-changed', 'order-open', 'balance-part-range', 'balance-insufficient'] as const),
] satisfies RefusalCode[]
