import { useId } from 'react'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { PoolButton, usePoolChain } from '../../shared/pool/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { isNotLoaded, Loaded, Note, OldNote, RefreshButton, TopBar, View } from '../../shared/ui/index.ts'
import { OpenOrder, OpenOrderButton, openOrder } from '../order/index.ts'
import { type Overview, useOverview } from '../production/index.ts'
import { Collect } from './Collect.tsx'
import { FormCard } from './FormCard.tsx'
import { NextProduction } from './NextProduction.tsx'
import { PledgeSheet } from './PledgeSheet.tsx'
import styles from './pledge.module.css'
import { pledgeOrder } from './pledge-order.tsx'
import { SummaryCard } from './SummaryCard.tsx'
import { Unheard } from './Unheard.tsx'
import { useOrdering } from './use-ordering.ts'
import { usePledgeForm } from './use-pledge-form.ts'

export function PledgeView() {
  const t = useText()
  const query = useOverview()
  const { data, isRefetchError, dataUpdatedAt, refetch } = query
  const pool = usePoolChain()
  const leaving = useSession(({ exit }) => exit)
  const id = useId()
  const form = usePledgeForm(data, pool.chain?.tokens.BTN.decimals)
  const ordering = useOrdering(refetch)
  const missing = isNotLoaded(query)
  const open = data?.open ?? null
  /** No pledge in an exit session, beside an open order, or without a plan. */
  const isOffered = !leaving && open === null && data?.plan !== null

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
      foot={
        missing ? undefined : open ? (
          <OpenOrderButton order={open} leaving={leaving} />
        ) : isOffered ? (
          <PreviewButton form={id} pool={pool} overview={data} />
        ) : undefined
      }
    >
      <Loaded query={query} failed={t('pledge.failed')} offline={t('pledge.offlineText')}>
        {(overview) => (
          <>
            {ordering.unheard.map((press) => (
              <Unheard
                key={press.key}
                press={press}
                onAgain={
                  pool.chain && overview?.plan?.version === press.planVersion
                    ? () => ordering.propose(form.proposeAgain(press))
                    : null
                }
                onDiscard={ordering.close}
              />
            ))}
            {open && <OpenOrder order={open} title={pledgeOrder.title(t, open)} confirming={t('pledge.confirming')} />}
            <div>
              <OldNote since={isRefetchError ? dataUpdatedAt : null} />
              <SummaryCard overview={overview} />
            </div>
            <NextProduction overview={overview} updatedAt={dataUpdatedAt} />
            <Collect overview={overview} onCollected={refetch} />
            {overview && !overview.plan && !leaving && <Note tone="lode">{t('pledge.planNone')}</Note>}
            {isOffered && (
              <FormCard id={id} form={form} overview={overview} onSubmit={() => ordering.propose(form.propose())} />
            )}
          </>
        )}
      </Loaded>
      {ordering.preview && (
        <PledgeSheet
          preview={ordering.preview}
          onClose={ordering.close}
          onLookAgain={ordering.lookAgain}
          onMade={(made) => {
            ordering.close()
            form.write('')
            openOrder(made)
          }}
        />
      )}
    </View>
  )
}

type PreviewButtonProps = { form: string; pool: ReturnType<typeof usePoolChain>; overview: Overview | undefined }

/** Without the pool's chain data the quantity cannot be parsed. */
function PreviewButton({ form, pool, overview }: PreviewButtonProps) {
  const t = useText()
  return (
    <PoolButton pool={pool} type="submit" form={form} busy={!overview || !pool.chain}>
      {t('pledge.preview')}
    </PoolButton>
  )
}
