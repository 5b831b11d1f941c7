import { type Asset, assets } from '@lode/kernel'
import { type FormEvent, useId, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { refusalOf } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { PoolButton } from '../../shared/pool/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import { session } from '../../shared/session/index.ts'
import {
  AmountField,
  Card,
  isNotLoaded,
  Loaded,
  Note,
  Segmented,
  StateNote,
  TopBar,
  View,
} from '../../shared/ui/index.ts'
import { ChoosePasswordSheet, useProtection } from '../protection/index.ts'
import { ConfirmSheet } from './ConfirmSheet.tsx'
import { HeldNote, LimitRows, PausedNote, SumRows, WhenCard, WhereCard } from './FormParts.tsx'
import { intents } from './intent.ts'
import { mostOf } from './limits.ts'
import { RECORDS, recordOf } from './paths.ts'
import { Running } from './Running.tsx'
import styles from './transfer.module.css'
import { UnheardNote } from './UnheardNote.tsx'
import { inWords, type Proposal, submitText, type TransferForm, useTransferForm } from './use-transfer-form.ts'

/** The form of a transfer, with all its limits visible. */
export function FormScreen({ first }: { first: Asset }) {
  const t = useText()
  const navigate = useNavigate()
  const back = useBack('/setting')
  const form = useTransferForm(first)
  const { protection, now } = useProtection()
  const id = useId()
  const [asking, setAsking] = useState<'password' | Proposal | null>(null)
  const [unheard, setUnheard] = useState(() => intents.keptOf(session.get().account ?? ''))
  const { terms, chain } = form
  const hasNoPassword = protection !== undefined && !protection.fundPassword.chosen
  const isMissing = form.isLate || isNotLoaded(form.query)
  const hasNoPlan = isMissing && refusalOf(form.query.error) === 'plan-none'

  function close(): void {
    setAsking(null)
    setUnheard(intents.keptOf(session.get().account ?? ''))
  }

  const isReady = terms !== undefined && chain !== undefined
  return (
    <View
      centred={isMissing}
      onRefresh={form.query.refetch}
      top={
        <TopBar
          title={t('shell.titles.transfer')}
          onBack={back}
          end={
            <Link to={RECORDS} className={styles.records}>
              {t('transfer.records')}
            </Link>
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
              <Obstacles terms={terms} now={now} />
              {unheard.map((intent) => (
                <UnheardNote
                  key={intent.key}
                  intent={intent}
                  onAgain={isReady ? () => setAsking(form.proposeAgain(intent)) : null}
                  onDiscard={close}
                />
              ))}
              <Running />
              <Form
                id={id}
                form={form}
                protection={protection}
                now={now}
                onSubmit={() => setAsking(hasNoPassword ? 'password' : form.propose())}
              />
            </>
          )}
        </Loaded>
      )}
      {asking === 'password' && <ChoosePasswordSheet open onClose={() => setAsking(null)} />}
      {asking !== null && asking !== 'password' && (
        <ConfirmSheet
          proposal={asking}
          minutes={chain?.finalityMinutes}
          onClose={close}
          onPropose={setAsking}
          onObjection={(reason) => {
            close()
            form.object(reason)
          }}
          onMade={(made) => navigate(recordOf(made))}
        />
      )}
    </View>
  )
}

type SubmitButtonProps = { id: string; form: TransferForm; hasNoPassword: boolean }

/** Says what a press does: it asks for a fund password to be chosen first, or proposes the transfer of this amount. */
function SubmitButton({ id, form, hasNoPassword }: SubmitButtonProps) {
  const t = useText()
  const { terms, limits, chain, amount, pool } = form
  return (
    <PoolButton pool={pool} type="submit" form={id} busy={!terms || !chain}>
      {hasNoPassword
        ? t('protection.password.choose')
        : limits && amount !== null
          ? submitText(t, inWords(limits, amount))
          : t('transfer.submitEmpty')}
    </PoolButton>
  )
}

/** What holds transfers at present. */
function Obstacles({ terms, now }: Pick<TransferForm, 'terms'> & { now: number }) {
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
      <WhereCard terms={terms} boundAt={protection?.outputAddress.boundAt ?? null} />
      <WhenCard terms={terms} limits={limits} amount={amount} minutes={chain?.finalityMinutes} now={now} />
    </form>
  )
}

function Fields({ form }: { form: TransferForm }) {
  const t = useText()
  const { limits } = form
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
        hint={limits && t('transfer.available', { amount: inWords(limits, limits.available) })}
        max={
          limits && mostOf(limits) > 0n
            ? { text: t('transfer.max'), label: t('transfer.maxLabel'), onMax: form.writeMax }
            : undefined
        }
      />
    </>
  )
}
