import { formatRecent } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Address, Button, Note, Row, Rows, TransactionLink } from '../../shared/ui/index.ts'
import { amountText, NextSteps, WalletAction } from '../payment/index.ts'
import { useProtection, useRemaining } from '../protection/index.ts'
import styles from './order.module.css'
import type { PaidOrder } from './order.ts'
import type { Paying } from './use-paying.ts'

/** What is to be paid, from where, until when, and what the wallet will ask. */
export function PayBody({ order, paying }: { order: PaidOrder; paying: Paying }) {
  const t = useText()
  const language = useLanguage()
  const remaining = useRemaining()
  const { now } = useProtection()
  const { chain, terms, surveyed, requests } = paying
  const minutes = chain?.finalityMinutes ?? 0
  const { deadline, tx } = order
  return (
    <>
      {tx && <Note tone="sky">{t('order.reported')}</Note>}
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
        <Row label={t('deposit.networkFee')}>{t('deposit.networkFeeText')}</Row>
        {tx && chain && (
          <Row label={t('payment.transaction')}>
            <TransactionLink hash={tx} explorerUrl={chain.explorerUrl} />
          </Row>
        )}
      </Rows>
      {terms && (
        <NextSteps
          requests={requests}
          amount={amountText(terms)}
          last={minutes === 1 ? t('order.settlesMinute') : t('order.settles', { minutes })}
          allowed={surveyed.kind === 'read' && requests.length === 1}
        />
      )}
    </>
  )
}

export function PayFoot({ paying }: { paying: Paying }) {
  const t = useText()
  const { payer, surveyed, chain, terms, account } = paying
  if (payer.kind !== 'ready')
    return <WalletAction payer={payer} account={account} chain={chain} onAsked={paying.lookAgain} />
  const objection = paying.objection ?? surveyText()
  return (
    <>
      <div role="status">{objection && <p className={styles.objection}>{objection}</p>}</div>
      {surveyed.kind === 'no-node' ? (
        <Button onClick={() => paying.readAgain()}>{t('common.retry')}</Button>
      ) : (
        <Button
          busy={paying.busy}
          disabled={!terms || (surveyed.kind === 'reading' && !paying.busy)}
          onClick={paying.pay}
        >
          {terms ? t('order.pay', { amount: amountText(terms) }) : t('order.payEmpty')}
        </Button>
      )}
    </>
  )

  function surveyText(): string | null {
    if (surveyed.kind === 'no-node') return t('deposit.noNode')
    if (surveyed.kind !== 'read' || !terms) return null
    if (surveyed.survey.balance < terms.units)
      return t('deposit.wrong.balance', { amount: amountText({ ...terms, units: surveyed.survey.balance }) })
    return surveyed.survey.ether === 0n ? t('deposit.noFee', { currency: chain?.currency.symbol ?? '' }) : null
  }
}
