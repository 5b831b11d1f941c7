import type { Asset } from '@lode/kernel'
import { useEffect, useRef, useState } from 'react'
import { dismiss, followPayments, type Payment, usePayments } from '../../chain/payment/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button, ConfirmDialog, Sheet } from '../../shared/ui/index.ts'
import { amountText, canonicalAmount, PaymentFoot, PaymentProgress, useKeptFocus } from '../payment/index.ts'
import { CreditedFoot } from './CreditedFoot.tsx'
import { DepositFormBody, DepositFormFoot } from './DepositFormParts.tsx'
import styles from './deposit.module.css'
import { type About, closeDeposit, useDepositSheet } from './sheet.ts'
import { useDepositForm } from './use-deposit-form.ts'

/** The sheet of a deposit, from the empty form to the credit. */
export function DepositSheet() {
  useEffect(followPayments, [])
  const { about, open } = useDepositSheet()
  // It stays after the server has ended the session, because a payment continues from the chain alone.
  const account = usePayments((state) => state.account)
  if (about === null || account === null) return null
  return <OneDeposit key={about.opening} about={about} open={open} account={account} />
}

type OneDepositProps = { about: About; open: boolean; account: string }

function OneDeposit({ about, open, account }: OneDepositProps) {
  const t = useText()
  const [shown, setShown] = useState(about.kind === 'payment' ? { id: about.id, rejoined: false } : null)
  const payment = usePayments(({ payments }) => payments.find(({ intent }) => intent.id === shown?.id))
  /**
   * The last known payment. It can disappear while the sheet is open: refused in the wallet, or given up in another
   * tab.
   */
  const last = useRef<Payment | undefined>(undefined)
  if (payment) last.current = payment
  const symbol = payment?.intent.symbol ?? (about.kind === 'new' ? about.symbol : last.current?.intent.symbol)

  if (!symbol) return null
  return (
    <Filled
      symbol={symbol}
      payment={payment}
      rejoined={shown?.rejoined ?? false}
      before={last.current}
      open={open}
      account={account}
      onShow={(id, rejoined) => setShown({ id, rejoined })}
      onForm={() => setShown(null)}
      title={t('deposit.title', { symbol })}
    />
  )
}

type FilledProps = {
  symbol: Asset
  payment: Payment | undefined
  rejoined: boolean
  before: Payment | undefined
  open: boolean
  account: string
  title: string
  onShow: (id: string, rejoined: boolean) => void
  onForm: () => void
}

function Filled({ symbol, payment, rejoined, before, open, account, title, onShow, onForm }: FilledProps) {
  const t = useText()
  const form = useDepositForm(symbol, account, onShow)
  const [asking, setAsking] = useState(false)
  const amount = payment ? amountText(payment.intent) : ''
  const body = useRef<HTMLDivElement>(null)
  useKeptFocus(body, payment?.stage.at ?? `form ${form.surveyed.kind}`)
  const isOnItsWay = payment !== undefined && payment.sent.length > 0
  const isCredited = payment?.stage.at === 'credited'
  const anotherOne =
    rejoined && isOnItsWay ? { text: t('deposit.another', { amount }), onAnother: () => setAsking(true) } : null

  // Back from a payment that did not happen, the form has its old values, to be changed or sent again. The chain is
  // read again, because an allowance may be left.
  const hadPayment = useRef(payment !== undefined)
  useEffect(() => {
    const has = payment !== undefined
    if (hadPayment.current && !has && open) {
      if (before && form.text === '') form.write(canonicalAmount(before.intent))
      void form.refresh()
    }
    hadPayment.current = has
  }, [payment, before, open, form])

  /** Back to the form. It reads again what the wallet will be asked for, because an allowance may have been used up. */
  function another() {
    setAsking(false)
    if (!payment) return
    form.writeAnother(canonicalAmount(payment.intent))
    onForm()
  }

  return (
    <Sheet
      open={open}
      onClose={closeDeposit}
      title={title}
      foot={
        payment ? (
          <PaymentFoot
            payment={payment}
            onTryAgain={() => {
              dismiss(payment.intent.id)
              onForm()
            }}
            onClose={closeDeposit}
            credited={<CreditedFoot payment={payment} another={anotherOne} />}
            also={
              anotherOne && (
                <Button tone="plain" onClick={anotherOne.onAnother}>
                  {anotherOne.text}
                </Button>
              )
            }
          />
        ) : (
          <DepositFormFoot form={form} />
        )
      }
    >
      <div ref={body} className={styles.body}>
        {payment ? (
          <PaymentProgress
            payment={payment}
            note={rejoined ? t(isCredited ? 'deposit.rejoinedEnded' : 'deposit.rejoined') : undefined}
          />
        ) : (
          <DepositFormBody form={form} />
        )}
      </div>
      <ConfirmDialog
        open={asking}
        title={t('deposit.anotherTitle')}
        text={t('deposit.anotherText', { amount })}
        confirm={t('deposit.another', { amount })}
        onConfirm={another}
        onClose={() => setAsking(false)}
      />
    </Sheet>
  )
}
