import { useId, useState } from 'react'
import { Link } from 'react-router'
import { errorText } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { PoolUnread, usePoolChain } from '../../shared/pool/index.ts'
import { session, useSession } from '../../shared/session/index.ts'
import { Button, LoadingStatus, Note, NotLoaded, OldNote, RefreshButton, TopBar, View } from '../../shared/ui/index.ts'
import { OpenOrder, OpenOrderButton, openOrder } from '../order/index.ts'
import { useOverview } from '../production/index.ts'
import { Collect } from './Collect.tsx'
import { FormCard } from './FormCard.tsx'
import { NextProduction } from './NextProduction.tsx'
import { PledgeSheet } from './PledgeSheet.tsx'
import styles from './pledge.module.css'
import { pledgeOrder } from './pledge-order.tsx'
import { presses } from './press.ts'
import { type Preview, previewOf } from './preview.ts'
import { SummaryCard } from './SummaryCard.tsx'
import { Unheard } from './Unheard.tsx'
import { usePledgeForm } from './use-pledge-form.ts'

const keptPresses = () => presses.keptOf(session.get().account ?? '')

export function PledgeView() {
  const t = useText()
  const { data, error, isPaused, isFetching, isRefetchError, dataUpdatedAt, refetch } = useOverview()
  const { chain, problem, readAgain } = usePoolChain()
  const leaving = useSession(({ exit }) => exit)
  const id = useId()
  const form = usePledgeForm(data, chain?.tokens.BTN.decimals)
  const [ordering, setOrdering] = useState<Preview | null>(null)
  const [unheard, setUnheard] = useState(keptPresses)
  const missing = !data && (isPaused || error !== null)
  const open = data?.open ?? null
  /** Whether something can be pledged: not by who only takes assets out, nor beside an open order, nor without a plan. */
  const isOffered = !leaving && open === null && data?.plan !== null

  function close(): void {
    setOrdering(null)
    setUnheard(keptPresses())
  }

  /** What stands against ordering shows itself, with the overview that says so. */
  async function lookAgain(): Promise<Preview | null> {
    const { data: fresh } = await refetch()
    if (!fresh || !ordering) return null
    if (fresh.open) {
      close()
      toast.error(t('refusals.order-open'))
      openOrder(fresh.open.id)
      return null
    }
    const { quantity, term, firstPart } = ordering
    const again = previewOf(fresh, { quantity, days: term.days, firstPart })
    if (again) setOrdering(again)
    else close()
    return again
  }

  function foot() {
    if (open) return <OpenOrderButton order={open} leaving={leaving} />
    if (!isOffered) return undefined
    if (data && problem) return <PoolUnread problem={problem} onReadAgain={readAgain} />
    return (
      <Button type="submit" form={id} busy={!data || !chain}>
        {t('pledge.preview')}
      </Button>
    )
  }

  return (
    <View
      centred={missing}
      onRefresh={refetch}
      top={
        <TopBar
          title={t('shell.titles.pledge')}
          start={<RefreshButton onRefresh={refetch} />}
          end={
            <Link to="/pledge/detail" className={styles.records}>
              {t('pledge.records')}
            </Link>
          }
        />
      }
      foot={missing ? undefined : foot()}
    >
      {missing ? (
        <NotLoaded
          title={t('pledge.failed')}
          reason={error && errorText(t, error)}
          offline={isPaused ? t('pledge.offlineText') : null}
          busy={isFetching}
          onRetry={refetch}
        />
      ) : (
        <>
          {!data && <LoadingStatus />}
          {unheard.map((press) => (
            <Unheard
              key={press.key}
              press={press}
              onAgain={
                chain && data?.plan?.version === press.planVersion ? () => setOrdering(form.proposeAgain(press)) : null
              }
              onDiscard={close}
            />
          ))}
          {open && <OpenOrder order={open} title={pledgeOrder.title(t, open)} confirming={t('pledge.confirming')} />}
          <div>
            <OldNote since={isRefetchError ? dataUpdatedAt : null} />
            <SummaryCard overview={data} />
          </div>
          <NextProduction overview={data} updatedAt={dataUpdatedAt} />
          <Collect overview={data} onCollected={refetch} />
          {data && !data.plan && !leaving && <Note tone="lode">{t('pledge.planNone')}</Note>}
          {isOffered && <FormCard id={id} form={form} overview={data} onSubmit={() => setOrdering(form.propose())} />}
        </>
      )}
      {ordering && (
        <PledgeSheet
          preview={ordering}
          onClose={close}
          onLookAgain={lookAgain}
          onMade={(made) => {
            close()
            form.write('')
            openOrder(made)
          }}
        />
      )}
    </View>
  )
}
