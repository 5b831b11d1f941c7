import type { Asset } from '@lode/kernel'
import { useEffect, useRef, useState } from 'react'
import { dismissPayment, followPayments, type Payment, usePayments } from '../../chain/payment/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { ConfirmDialog, Sheet } from '../../shared/ui/index.ts'
import { amountText, canonicalAmount, PaymentFoot, PaymentProgress, useDialogFocus } from '../payment/index.ts'
import { ChoosePasswordSheet } from '../protection/index.ts'
import { AnotherDepositButton, CreditedFoot } from './CreditedFoot.tsx'
import { DepositFormBody, DepositFormFoot } from './DepositFormParts.tsx'
import styles from './deposit.module.css'
import { closeDeposit, type DepositSheetSubject, useDepositSheet } from './deposit-sheet-state.ts'
import { useDepositForm } from './use-deposit-form.ts'

/** The sheet of a deposit, from the empty form to the credit. */
export function DepositSheet() {
  useEffect(followPayments, [])
  const { subject, open } = useDepositSheet()
  // The account stays here after the server has ended the session, because a payment continues from the chain alone.
  const account = usePayments((state) => state.account)
  if (subject === null || account === null) return null
  return <OneDeposit key={subject.opening} subject={subject} open={open} account={account} />
}

type OneDepositProps = { subject: DepositSheetSubject; open: boolean; account: string }

function OneDeposit({ subject, open, account }: OneDepositProps) {
  const t = useText()
  const [shown, setShown] = useState(subject.kind === 'payment' ? { id: subject.id, rejoined: false } : null)
  const payment = usePayments(({ payments }) => payments.find(({ intent }) => intent.id === shown?.id))
  /**
   * The last known payment. It can disappear while the sheet is open: refused in the wallet, or given up in another
   * tab.
   */
  const lastPayment = useRef<Payment | undefined>(undefined)
  if (payment) lastPayment.current = payment
  const symbol =
    payment?.intent.symbol ?? (subject.kind === 'new' ? subject.symbol : lastPayment.current?.intent.symbol)

  if (!symbol) return null
  return (
    <DepositSheetContent
      symbol={symbol}
      payment={payment}
      rejoined={shown?.rejoined ?? false}
      lastPayment={lastPayment.current}
      open={open}
      account={account}
      onShow={(id, rejoined) => setShown({ id, rejoined })}
      onBackToForm={() => setShown(null)}
      title={t('deposit.title', { symbol })}
    />
  )
}

type DepositSheetContentProps = {
  symbol: Asset
  payment: Payment | undefined
  rejoined: boolean
  lastPayment: Payment | undefined
  open: boolean
  account: string
  title: string
  onShow: (id: string, rejoined: boolean) => void
  onBackToForm: () => void
}

function DepositSheetContent({
  symbol,
  payment,
  rejoined,
  lastPayment,
  open,
  account,
  title,
  onShow,
  onBackToForm,
}: DepositSheetContentProps) {
  const t = useText()
  const form = useDepositForm(symbol, account, onShow)
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const [isChoosingPassword, setChoosing] = useState(false)
  const amount = payment ? amountText(payment.intent) : ''
  const body = useRef<HTMLDivElement>(null)
  useDialogFocus(body, payment?.stage.at ?? `form ${form.surveyed.kind}`)
  const isOnItsWay = payment !== undefined && payment.sent.length > 0
  const anotherOne =
    rejoined && isOnItsWay ? { text: t('deposit.another', { amount }), onAnother: () => setConfirmOpen(true) } : null

  // After a payment that did not happen, the form shows its old values, so that the member can try again. The chain is
  // read again, because an allowance may be left.
  const hadPayment = useRef(payment !== undefined)
  useEffect(() => {
    const has = payment !== undefined
    if (hadPayment.current && !has && open) {
      if (lastPayment && form.text === '') form.write(canonicalAmount(lastPayment.intent))
      void form.refresh()
    }
    hadPayment.current = has
  }, [payment, lastPayment, open, form])

  /** Goes back to the form, which surveys the chain again, because the payment may have used up the allowance. */
  function prepareAnother() {
    setConfirmOpen(false)
    if (!payment) return
    form.writeAnother(canonicalAmount(payment.intent))
    onBackToForm()
  }

  return (
    <>
      <Sheet
        open={open}
        onClose={closeDeposit}
        title={title}
        foot={
          payment ? (
            <PaymentFoot
              payment={payment}
              onTryAgain={() => {
                dismissPayment(payment.intent.id)
                onBackToForm()
              }}
              onClose={closeDeposit}
              credited={<CreditedFoot payment={payment} another={anotherOne} />}
              also={anotherOne && <AnotherDepositButton {...anotherOne} />}
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
              note={
                rejoined ? t(payment.stage.at === 'credited' ? 'deposit.rejoinedEnded' : 'deposit.rejoined') : undefined
              }
            />
          ) : (
            <DepositFormBody form={form} onChoosePassword={() => setChoosing(true)} />
          )}
        </div>
        <ConfirmDialog
          open={isConfirmOpen}
          title={t('deposit.anotherTitle')}
          text={t('deposit.anotherText', { amount })}
          confirm={t('deposit.another', { amount })}
          onConfirm={prepareAnother}
          onClose={() => setConfirmOpen(false)}
        />
      </Sheet>
      {isChoosingPassword && <ChoosePasswordSheet open onClose={() => setChoosing(false)} />}
    </>
  )
}
