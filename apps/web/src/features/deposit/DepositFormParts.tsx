import { isEnded, usePayments } from '../../chain/payment/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { PoolLink } from '../../shared/pool/index.ts'
import { Address, AmountField, Button, CopyableAddress, Row, Rows, StateNote } from '../../shared/ui/index.ts'
import { CoinsLink } from '../explain/index.ts'
import { amountText, NetworkRow, NextSteps, PayButton, StatusPill, WalletAction } from '../payment/index.ts'
import { NoPasswordNote } from '../protection/index.ts'
import styles from './deposit.module.css'
import { closeDeposit, openPayment } from './deposit-sheet-state.ts'
import { ReportedDeposits } from './ReportedDeposits.tsx'
import { TakeOutLimit } from './TakeOutLimit.tsx'
import type { DepositForm } from './use-deposit-form.ts'

/** The form: amount, receiver, source, and what happens next. */
export function DepositFormBody({ form, onChoosePassword }: { form: DepositForm; onChoosePassword: () => void }) {
  const t = useText()
  const { symbol, chain, surveyed, value, requests, pool } = form
  if (pool.problem)
    return (
      <div role="alert">
        <StateNote title={t('deposit.failed')} text={pool.problem}>
          <Button onClick={pool.readAgain}>{t('common.retry')}</Button>
        </StateNote>
      </div>
    )
  const survey = surveyed.kind === 'read' ? surveyed.survey : null
  const amount = value === null ? t('deposit.theAmount') : form.readable(value)
  const minutes = chain?.finalityMinutes ?? 0
  const isAllowed = survey !== null && value !== null && requests.length === 1
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <RunningDeposits form={form} />
      <NoPasswordNote onChoose={onChoosePassword} />
      <AmountField
        ref={form.input}
        label={t('deposit.amount')}
        symbol={symbol}
        value={form.text}
        onValue={form.write}
        error={form.error}
        hint={
          survey
            ? t('deposit.inWallet', { amount: form.readable(survey.balance) })
            : surveyed.kind === 'reading' && (form.readiness.kind === 'ready' || form.readiness.kind === 'looking')
              ? t('deposit.inWalletReading')
              : undefined
        }
        max={
          survey && survey.balance > 0n
            ? { text: t('deposit.max'), label: t('deposit.maxLabel'), onMax: form.writeMax }
            : undefined
        }
      />
      <NetworkRow chain={chain} />
      {symbol === 'BTN' && survey?.balance === 0n && <PoolLink to="btnSource" />}
      {(survey?.balance === 0n || survey?.ether === 0n) && <CoinsLink onLeave={closeDeposit} />}
      <TakeOutLimit symbol={symbol} />
      <div>
        <CopyableAddress label={t('deposit.to')} value={chain?.vault} />
        <p className={styles.small}>{t('deposit.onlyThisWallet')}</p>
      </div>
      <Rows>
        <Row label={t('deposit.from')}>
          <Address value={form.account} />
        </Row>
        <Row label={t('deposit.networkFee')}>{form.networkFee.text}</Row>
      </Rows>
      <NextSteps
        requests={requests}
        amount={amount}
        last={t('deposit.nextSteps.credit', { count: minutes })}
        allowed={isAllowed}
      />
    </form>
  )
}

export function DepositFormFoot({ form }: { form: DepositForm }) {
  const t = useText()
  const { readiness, surveyed, value, chain, error } = form
  if (form.pool.problem) return null
  if (readiness.kind !== 'ready')
    return <WalletAction readiness={readiness} account={form.account} chain={chain} onAsked={form.lookAgain} />
  return (
    <PayButton
      surveyed={surveyed}
      onReadAgain={form.readAgain}
      objection={form.objection ?? form.networkFee.missing}
      busy={form.busy}
      onPay={form.submit}
    >
      {value === null || error
        ? t('deposit.submitEmpty')
        : t(form.isAdditional ? 'deposit.another' : 'deposit.submit', { amount: form.readable(value) })}
    </PayButton>
  )
}

/** Running deposits of the same asset. They are shown so that the member does not start a second one by mistake. */
function RunningDeposits({ form }: { form: DepositForm }) {
  const t = useText()
  const payments = usePayments((state) => state.payments)
  const running = payments.filter(
    (one) => one.intent.purpose.kind === 'deposit' && one.intent.symbol === form.symbol && !isEnded(one),
  )
  const reported = (
    <ReportedDeposits
      symbol={form.symbol}
      known={new Set(payments.flatMap(({ sent }) => sent.map(({ hash }) => hash)))}
    />
  )
  if (running.length === 0) return reported
  return (
    <>
      {reported}
      <section className={styles.running} aria-label={t('deposit.running')}>
        <h3 className={styles.heading}>{t('deposit.running')}</h3>
        <ul>
          {running.map((one) => (
            <li key={one.intent.id}>
              <button type="button" className={styles.runningOne} onClick={() => openPayment(one.intent.id)}>
                <span>{amountText(one.intent)}</span>
                <StatusPill payment={one} />
              </button>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
