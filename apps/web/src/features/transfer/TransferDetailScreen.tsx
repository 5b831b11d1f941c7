import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call, type Failure, failureText, queryClient, read, refusalReason, useChain } from '../../shared/api/index.ts'
import { addAmounts, formatWholeAmount, wholePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { useUnstoredPress } from '../../shared/press/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import {
  Button,
  Card,
  ConfirmDialog,
  CopyableAddress,
  LargeAmount,
  Loaded,
  Note,
  RefreshButton,
  Row,
  Rows,
  Skeleton,
  StaleNote,
  StateNote,
  TopBar,
  TransactionLink,
  View,
} from '../../shared/ui/index.ts'
import { useProtection } from '../protection/index.ts'
import { invalidateMoneyQueries } from './invalidate-money-queries.ts'
import { formPath, RECORDS_PATH } from './paths.ts'
import { Timeline } from './Timeline.tsx'
import { TransferStatePill } from './TransferStatePill.tsx'
import styles from './transfer.module.css'
import { isTransfer, type TransferOrder } from './transfer-press.ts'
import { isEnded, pollInterval } from './transfer-timeline.ts'

/** One transfer: amount, state with its reason, and destination. It refreshes until the transfer has ended. */
export function TransferDetailScreen({ id }: { id: string }) {
  const t = useText()
  const navigate = useNavigate()
  const back = useBack(RECORDS_PATH)
  const query = useQuery({
    ...read('order/detail', { id }),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: ({ state }) => (isTransfer(state.data) ? pollInterval(state.data) : false),
  })
  const { data, error, isPaused, isRefetchError, dataUpdatedAt, refetch } = query
  const order = isTransfer(data) ? data : undefined
  const isUnknown = !order && (data !== undefined || ['order-unknown', 'format'].includes(refusalReason(error) ?? ''))
  const hasNothingToShow = !order && (data !== undefined || error !== null || isPaused)
  const all = (
    <Button tone="quiet" onClick={() => navigate(RECORDS_PATH)}>
      {t('transfer.order.all')}
    </Button>
  )
  return (
    <View
      centered={hasNothingToShow}
      onRefresh={refetch}
      top={
        <TopBar title={t('shell.titles.transfer')} onBack={back} end={<RefreshButton onRefresh={() => refetch()} />} />
      }
      foot={
        hasNothingToShow ? undefined : (
          <div className={styles.feet}>
            {order && isEnded(order) && (
              <Button onClick={() => navigate(formPath(order.symbol))}>{t('transfer.order.another')}</Button>
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
              <TransferHead order={order} />
              <StaleNote since={isRefetchError ? dataUpdatedAt : null} />
              <TransferDetails order={order} onChanged={() => void refetch()} />
            </>
          )}
        </Loaded>
      )}
    </View>
  )
}

function TransferHead({ order }: { order: TransferOrder | undefined }) {
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
  const total = formatWholeAmount(addAmounts(order.amount, order.fee), order.symbol)
  const fee = formatWholeAmount(order.fee, order.symbol)
  return (
    <div className={styles.head}>
      <p role="status">
        <TransferStatePill order={order} />
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

function TransferDetails({ order, onChanged }: { order: TransferOrder | undefined; onChanged: () => void }) {
  const t = useText()
  const { data: chain } = useChain()
  const { now } = useProtection()
  return (
    <>
      <Card>
        <Timeline order={order} minutes={chain?.finalityMinutes} now={now} />
        {order?.cancellable && <CancelTransfer order={order} onChanged={onChanged} />}
      </Card>
      <Card>
        <CopyableAddress
          label={order?.own ? `${t('transfer.to')} · ${t('security.address.own')}` : t('transfer.to')}
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
function CancelTransfer({ order, onChanged }: { order: TransferOrder; onChanged: () => void }) {
  const t = useText()
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const { busy, failure, ask } = useUnstoredPress<DataOf<'transfer/cancel'>>()
  const total = formatWholeAmount(addAmounts(order.amount, order.fee), order.symbol)

  async function cancel(): Promise<void> {
    setConfirmOpen(false)
    const outcome = await ask((key) => call('transfer/cancel', { key, id: order.id }, { quiet: true }))
    invalidateMoneyQueries()
    if (outcome.kind === 'done') {
      queryClient.setQueryData(read('order/detail', { id: order.id }).queryKey, outcome.value)
      return toast.success(t('transfer.order.cancelled'))
    }
    toast.error(problemText(outcome.failure))
    onChanged()
  }

  function problemText(problem: Failure): string {
    const isTooLate = problem.kind === 'refused' && problem.reason === 'order-completed'
    return isTooLate ? t('transfer.order.tooLate') : failureText(t, problem)
  }

  return (
    <>
      {failure && <Note tone="rose">{problemText(failure)}</Note>}
      <Button tone="quiet" busy={busy} onClick={() => setConfirmOpen(true)}>
        {t('transfer.order.cancel')}
      </Button>
      <ConfirmDialog
        open={isConfirmOpen}
        title={t('transfer.order.cancelTitle')}
        text={t('transfer.order.cancelText', { total })}
        confirm={t('transfer.order.cancel')}
        keep={t('transfer.order.keep')}
        onConfirm={cancel}
        onClose={() => setConfirmOpen(false)}
      />
    </>
  )
}
