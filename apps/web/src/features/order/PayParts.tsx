import { formatRecent } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { PoolButton, PoolLink } from '../../shared/pool/index.ts'
import { Address, CopyableAddress, Note, Row, Rows, TransactionLink } from '../../shared/ui/index.ts'
import { CoinsLink } from '../explain/index.ts'
import { amountText, NextSteps, PayButton, WalletAction } from '../payment/index.ts'
import { useProtection, useRemaining } from '../protection/index.ts'
import styles from './order.module.css'
import type { PayableOrder } from './order.ts'
import { closeOrder } from './order-sheet-state.ts'
import type { PayOrderState } from './use-pay-order.ts'

type PayBodyProps = {
  order: PayableOrder
  paying: PayOrderState
  /** Says that the order was placed just now and is not paid. */
  placed: boolean
}

/** The amount, the source, the deadline, and what the wallet will ask. */
export function PayBody({ order, paying, placed }: PayBodyProps) {
  const t = useText()
  const language = useLanguage()
  const remaining = useRemaining()
  const { now } = useProtection()
  const { chain, terms, surveyed, requests } = paying
  const minutes = chain?.finalityMinutes ?? 0
  const { deadline, tx } = order
  const isShort = terms !== null && surveyed.kind === 'read' && surveyed.survey.balance < terms.units
  return (
    <>
      {placed && !tx && <Note tone="sky">{t('order.placed')}</Note>}
      {tx && <Note tone="sky">{t('order.reported')}</Note>}
      <CopyableAddress label={t('deposit.to')} value={chain?.vault} />
      <Rows>
        {deadline && (
          <Row label={t('order.payUntil')}>
            {formatRecent(deadline, now, language)}
            <span className={styles.beside}>{t('order.left', { time: remaining(deadline, now) })}</span>
          </Row>
        )}
        <Row label={t('deposit.from')}>
          <Address value={paying.account} />
        </Row>
        <Row label={t('deposit.networkFee')}>{paying.networkFee.text}</Row>
        {tx && chain && (
          <Row label={t('payment.transaction')}>
            <TransactionLink hash={tx} explorerUrl={chain.explorerUrl} />
          </Row>
        )}
      </Rows>
      {isShort && terms?.symbol === 'BTN' && <PoolLink to="btnSource" />}
      {(isShort || (surveyed.kind === 'read' && surveyed.survey.ether === 0n)) && <CoinsLink onLeave={closeOrder} />}
      {terms && (
        <NextSteps
          requests={requests}
          amount={amountText(terms)}
          last={t('order.settles', { count: minutes })}
          allowed={surveyed.kind === 'read' && requests.length === 1}
        />
      )}
    </>
  )
}

/** `starting`: the payment begins by itself, as the member pressed “Order and pay”. */
export function PayFoot({ paying, starting }: { paying: PayOrderState; starting: boolean }) {
  const t = useText()
  const { readiness, surveyed, chain, terms, account } = paying
  if (paying.pool.problem) return <PoolButton pool={paying.pool} />
  if (readiness.kind !== 'ready')
    return <WalletAction readiness={readiness} account={account} chain={chain} onAsked={paying.lookAgain} />
  return (
    <PayButton
      surveyed={surveyed}
      onReadAgain={paying.readAgain}
      objection={paying.objection ?? surveyText()}
      busy={paying.busy || starting}
      disabled={!terms}
      onPay={() => paying.pay()}
    >
      {terms ? t('order.pay', { amount: amountText(terms) }) : t('order.payEmpty')}
    </PayButton>
  )

  function surveyText(): string | null {
    if (surveyed.kind !== 'read' || !terms) return null
    if (surveyed.survey.balance < terms.units)
      return t('deposit.wrong.balance', { amount: amountText({ ...terms, units: surveyed.survey.balance }) })
    return paying.networkFee.missing
  }
}
