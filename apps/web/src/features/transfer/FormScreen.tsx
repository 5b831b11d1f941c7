import { type Asset, assets } from '@lode/kernel'
import { type FormEvent, useId, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { refusalReason } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { PoolButton } from '../../shared/pool/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import { session } from '../../shared/session/index.ts'
import {
  AmountField,
  Card,
  failedToLoad,
  Loaded,
  Note,
  RefreshButton,
  Segmented,
  StateNote,
  TopBar,
  View,
} from '../../shared/ui/index.ts'
import { ChoosePasswordSheet, useProtection } from '../protection/index.ts'
import { ConfirmSheet } from './ConfirmSheet.tsx'
import { DestinationCard, HeldNote, LimitRows, PausedNote, PayoutTimeCard, SumRows } from './FormParts.tsx'
import { LostTransferPress } from './LostTransferPress.tsx'
import { findMaxAmount, isTooLittle } from './limits.ts'
import { RECORDS_PATH, transferPath } from './paths.ts'
import { RunningTransfers } from './RunningTransfers.tsx'
import styles from './transfer.module.css'
import { transferPresses } from './transfer-press.ts'
import {
  formatWithSymbol,
  submitText,
  type TransferForm,
  type TransferPreview,
  tooLittleText,
  useTransferForm,
} from './use-transfer-form.ts'

/** The form of a transfer, with all its limits visible. */
export function FormScreen({ initialSymbol }: { initialSymbol: Asset }) {
  const t = useText()
  const navigate = useNavigate()
  const back = useBack('/setting')
  const form = useTransferForm(initialSymbol)
  const { protection, now } = useProtection()
  const id = useId()
  const [openSheet, setOpenSheet] = useState<'password' | TransferPreview | null>(null)
  const [lostPresses, setLostPresses] = useState(() => transferPresses.pendingOf(session.get().account ?? ''))
  const { terms, chain } = form
  const hasNoPassword = protection !== undefined && !protection.fundPassword.chosen
  const isMissing = form.isLate || failedToLoad(form.query)
  const hasNoPlan = isMissing && refusalReason(form.query.error) === 'plan-none'

  function close(): void {
    setOpenSheet(null)
    setLostPresses(transferPresses.pendingOf(session.get().account ?? ''))
  }

  const isReady = terms !== undefined && chain !== undefined
  return (
    <View
      centered={isMissing}
      onRefresh={form.query.refetch}
      top={
        <TopBar
          title={t('shell.titles.transfer')}
          onBack={back}
          end={
            <>
              <Link to={RECORDS_PATH} className={styles.records}>
                {t('transfer.records')}
              </Link>
              <RefreshButton onRefresh={() => form.query.refetch()} />
            </>
          }
        />
      }
      foot={isMissing ? undefined : <SubmitButton id={id} form={form} hasNoPassword={hasNoPassword} />}
    >
      {hasNoPlan ? (
        <StateNote title={t('transfer.noPlan')} text={t('transfer.noPlanText')} />
      ) : (
        <Loaded query={form.query} late={form.isLate} failed={t('transfer.failed')} offline={t('transfer.offlineText')}>
          {() => (
            <>
              {hasNoPassword && <Note tone="lode">{t('transfer.choosePassword')}</Note>}
              <HoldNotes terms={terms} now={now} />
              {lostPresses.map((press) => (
                <LostTransferPress
                  key={press.key}
                  press={press}
                  onAgain={isReady ? () => setOpenSheet(form.buildPreviewAgain(press)) : null}
                  onDiscard={close}
                />
              ))}
              <RunningTransfers />
              <Form
                id={id}
                form={form}
                protection={protection}
                now={now}
                onSubmit={() => setOpenSheet(hasNoPassword ? 'password' : form.buildPreview())}
              />
            </>
          )}
        </Loaded>
      )}
      {openSheet === 'password' && <ChoosePasswordSheet open onClose={() => setOpenSheet(null)} />}
      {openSheet !== null && openSheet !== 'password' && (
        <ConfirmSheet
          preview={openSheet}
          minutes={chain?.finalityMinutes}
          onClose={close}
          onPreview={setOpenSheet}
          onObjection={(reason) => {
            close()
            form.showObjection(reason)
          }}
          onTransferCreated={(made) => navigate(transferPath(made))}
        />
      )}
    </View>
  )
}

type SubmitButtonProps = { id: string; form: TransferForm; hasNoPassword: boolean }

/** The label says what the button does: choose a fund password first, or transfer this amount. */
function SubmitButton({ id, form, hasNoPassword }: SubmitButtonProps) {
  const t = useText()
  const { terms, limits, chain, amount, pool } = form
  return (
    <PoolButton pool={pool} type="submit" form={id} busy={!terms || !chain}>
      {hasNoPassword
        ? t('protection.password.choose')
        : limits && amount !== null
          ? submitText(t, formatWithSymbol(limits, amount))
          : t('transfer.submitEmpty')}
    </PoolButton>
  )
}

/** Notes about a payout pause and about holds, if there are any. */
function HoldNotes({ terms, now }: Pick<TransferForm, 'terms'> & { now: number }) {
  return (
    <>
      {terms?.pausedUntil && <PausedNote until={terms.pausedUntil} now={now} />}
      {terms && terms.holds.length > 0 && <HeldNote holds={terms.holds} />}
    </>
  )
}

type FormProps = Pick<ReturnType<typeof useProtection>, 'protection' | 'now'> & {
  id: string
  form: TransferForm
  onSubmit: () => void
}

function Form({ id, form, protection, now, onSubmit }: FormProps) {
  const { terms, limits, chain, symbol, amount } = form
  function submit(event: FormEvent): void {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form id={id} className={styles.form} onSubmit={submit} noValidate>
      <Card>
        <Fields form={form} />
        <LimitRows limits={limits} quota={terms?.symbols.find((one) => one.symbol === symbol)?.quota} />
      </Card>
      <Card>
        <SumRows limits={limits} symbol={symbol} amount={amount} />
      </Card>
      <DestinationCard terms={terms} boundAt={protection?.outputAddress.boundAt ?? null} />
      <PayoutTimeCard terms={terms} limits={limits} amount={amount} minutes={chain?.finalityMinutes} now={now} />
    </form>
  )
}

function Fields({ form }: { form: TransferForm }) {
  const t = useText()
  const { limits } = form
  const hasTooLittle = limits !== undefined && limits.available > 0n && isTooLittle(limits)
  return (
    <>
      <Segmented
        label={t('transfer.symbol')}
        value={form.symbol}
        options={assets.map((value) => ({ value, text: value }))}
        onValue={form.choose}
      />
      <AmountField
        ref={form.input}
        label={t('transfer.amount')}
        symbol={form.symbol}
        value={form.text}
        onValue={form.write}
        error={form.error}
        hint={
          hasTooLittle
            ? tooLittleText(t, limits)
            : limits && t('transfer.available', { amount: formatWithSymbol(limits, limits.available) })
        }
        max={
          limits && !hasTooLittle && findMaxAmount(limits) > 0n
            ? { text: t('transfer.max'), label: t('transfer.maxLabel'), onMax: form.writeMax }
            : undefined
        }
      />
    </>
  )
}
