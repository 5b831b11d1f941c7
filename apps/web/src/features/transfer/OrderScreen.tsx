import { type DataOf, orderTypes } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call, failureText, queryClient, read, refusalOf, useChain } from '../../shared/api/index.ts'
import { sumOf, wholeAmount, wholePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { useAsk } from '../../shared/press/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import {
  Button,
  Card,
  ConfirmDialog,
  CopyableAddress,
  LargeAmount,
  Loaded,
  OldNote,
  Row,
  Rows,
  Skeleton,
  StateNote,
  TopBar,
  TransactionLink,
  View,
} from '../../shared/ui/index.ts'
import { useProtection } from '../protection/index.ts'
import type { TransferOrder } from './intent.ts'
import { tellOfMoney } from './money-moved.ts'
import { formOf, RECORDS } from './paths.ts'
import { isEnded, paceOf } from './progress.ts'
import { StandingPill } from './StandingPill.tsx'
import { Timeline } from './Timeline.tsx'
import styles from './transfer.module.css'

const isTransfer = (order: DataOf<'order/detail'> | undefined): order is TransferOrder =>
  order?.type === orderTypes.transferOut

/** One transfer: amount, state with its reason, and destination. It refreshes while it is shown. */
export function OrderScreen({ id }: { id: string }) {
  const t = useText()
  const navigate = useNavigate()
  const back = useBack(RECORDS)
  const query = useQuery({
    ...read('order/detail', { id }),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: ({ state }) => (isTransfer(state.data) ? paceOf(state.data) : false),
  })
  const { data, error, isPaused, isRefetchError, dataUpdatedAt, refetch } = query
  const order = isTransfer(data) ? data : undefined
  const isUnknown = !order && (data !== undefined || ['order-unknown', 'format'].includes(refusalOf(error) ?? ''))
  const isMissing = !order && (data !== undefined || error !== null || isPaused)
  const all = (
    <Button tone="quiet" onClick={() => navigate(RECORDS)}>
      {t('transfer.order.all')}
    </Button>
  )
  return (
    <View
      centred={isMissing}
      onRefresh={refetch}
      top={<TopBar title={t('shell.titles.transfer')} onBack={back} />}
      foot={
        isMissing ? undefined : (
          <div className={styles.feet}>
            {order && isEnded(order) && (
              <Button onClick={() => navigate(formOf(order.symbol))}>{t('transfer.order.another')}</Button>
            )}
            {all}
          </div>
        )
      }
    >
      {isUnknown ? (
        <StateNote title={t('transfer.order.unknown')} text={t('transfer.order.unknownText')}>
          {all}
        </StateNote>
      ) : (
        <Loaded
          query={{ ...query, data: order }}
          failed={t('transfer.order.failed')}
          offline={t('transfer.order.offlineText')}
        >
          {(order) => (
            <>
              <Head order={order} />
              <OldNote since={isRefetchError ? dataUpdatedAt : null} />
              <Facts order={order} onChanged={() => void refetch()} />
            </>
          )}
        </Loaded>
      )}
    </View>
  )
}

function Head({ order }: { order: TransferOrder | undefined }) {
  const t = useText()
  if (!order)
    return (
      <div className={styles.head}>
        <p>
          <Skeleton>{t('transfer.standing.mined')}</Skeleton>
        </p>
        <span className={styles.headAmount}>
          <Skeleton>000.00 USDT</Skeleton>
        </span>
        <p className={styles.small}>
          <Skeleton>{t('transfer.order.inFull', { total: '0 USDT', fee: '0 USDT' })}</Skeleton>
        </p>
      </div>
    )
  const total = wholeAmount(sumOf(order.amount, order.fee), order.symbol)
  const fee = wholeAmount(order.fee, order.symbol)
  return (
    <div className={styles.head}>
      <p role="status">
        <StandingPill order={order} />
      </p>
      <LargeAmount size="hero" value={order.amount} symbol={order.symbol} places={wholePlaces(order.symbol)} />
      <p className={styles.small}>
        {order.state === 'final'
          ? t('transfer.order.inFullDone', { total, fee })
          : isEnded(order)
            ? t('transfer.order.notPaid', { total })
            : t('transfer.order.inFull', { total, fee })}
      </p>
    </div>
  )
}

function Facts({ order, onChanged }: { order: TransferOrder | undefined; onChanged: () => void }) {
  const t = useText()
  const { data: chain } = useChain()
  const { now } = useProtection()
  return (
    <>
      <Card>
        <Timeline order={order} minutes={chain?.finalityMinutes} now={now} />
        {order?.cancellable && <Cancel order={order} onChanged={onChanged} />}
      </Card>
      <Card>
        <CopyableAddress
          label={order?.own ? `${t('transfer.to')} · ${t('protection.address.own')}` : t('transfer.to')}
          value={order?.address}
        />
        {order?.tx && chain && (
          <div className={styles.facts}>
            <Rows>
              <Row label={t('transfer.order.transaction')}>
                <TransactionLink hash={order.tx} explorerUrl={chain.explorerUrl} />
              </Row>
            </Rows>
          </div>
        )}
      </Card>
    </>
  )
}

/** Needs no password: canceling only returns the money to its owner. */
function Cancel({ order, onChanged }: { order: TransferOrder; onChanged: () => void }) {
  const t = useText()
  const [asking, setAsking] = useState(false)
  const { busy, ask } = useAsk<DataOf<'transfer/cancel'>>()
  const total = wholeAmount(sumOf(order.amount, order.fee), order.symbol)

  async function cancel(): Promise<void> {
    setAsking(false)
    const outcome = await ask((key) => call('transfer/cancel', { key, id: order.id }, { quiet: true }))
    tellOfMoney()
    if (outcome.kind === 'done') {
      queryClient.setQueryData(read('order/detail', { id: order.id }).queryKey, outcome.value)
      return toast.success(t('transfer.order.cancelled'))
    }
    const { failure } = outcome
    const isTooLate = failure.kind === 'refused' && failure.reason === 'order-completed'
    toast.error(isTooLate ? t('transfer.order.tooLate') : failureText(t, failure))
    onChanged()
  }

  return (
    <>
      <Button tone="quiet" busy={busy} onClick={() => setAsking(true)}>
        {t('transfer.order.cancel')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('transfer.order.cancelTitle')}
        text={t('transfer.order.cancelText', { total })}
        confirm={t('transfer.order.cancel')}
        keep={t('transfer.order.keep')}
        onConfirm={cancel}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
