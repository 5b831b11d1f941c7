import { type ComponentProps, useId } from 'react'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { PoolButton, usePoolChain } from '../../shared/pool/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Columns, failedToLoad, Loaded, Note, RefreshButton, StaleNote, TopBar, View } from '../../shared/ui/index.ts'
import { OpenOrder, OpenOrderButton, showOrder } from '../order/index.ts'
import { type PledgeOverview, usePledgeOverview } from '../production/index.ts'
import { CollectDividends } from './CollectDividends.tsx'
import { FormCard } from './FormCard.tsx'
import { LostPledgePress } from './LostPledgePress.tsx'
import { NextProduction } from './NextProduction.tsx'
import { PledgeSheet } from './PledgeSheet.tsx'
import styles from './pledge.module.css'
import { pledgeOrderPresenter } from './pledge-order-presenter.tsx'
import { SummaryCard } from './SummaryCard.tsx'
import { usePledgeForm } from './use-pledge-form.ts'
import { usePledgePreview } from './use-pledge-preview.ts'

export function PledgeView() {
  const t = useText()
  const query = usePledgeOverview()
  const { data, isRefetchError, dataUpdatedAt, refetch } = query
  const pool = usePoolChain()
  const isExitSession = useSession(({ exit }) => exit)
  const formId = useId()
  const form = usePledgeForm(data, pool.chain?.tokens.BTN.decimals)
  const pledgePreview = usePledgePreview(refetch)
  const hasFailed = failedToLoad(query)
  const unfinishedOrder = data?.open ?? null
  /** False in an exit session, while an order is open, and without a plan: then nothing can be pledged. */
  const isOffered = !isExitSession && unfinishedOrder === null && data?.plan !== null

  return (
    <View
      wide
      centered={hasFailed}
      onRefresh={refetch}
      top={<PledgeTopBar onRefresh={refetch} />}
      foot={
        unfinishedOrder && !hasFailed ? (
          <OpenOrderButton order={unfinishedOrder} isExitSession={isExitSession} />
        ) : (
          isOffered && !hasFailed && <PreviewButton form={formId} pool={pool} overview={data} />
        )
      }
    >
      <Loaded query={query} failed={t('pledge.failed')} offline={t('pledge.offlineText')}>
        {(overview) => (
          <>
            {pledgePreview.lostPresses.map((press) => (
              <LostPledgePress
                key={press.key}
                press={press}
                onAgain={
                  pool.chain && overview?.plan?.version === press.planVersion
                    ? () => pledgePreview.show(form.buildPreviewAgain(press))
                    : null
                }
                onDiscard={pledgePreview.close}
              />
            ))}
            {unfinishedOrder && <UnfinishedOrder order={unfinishedOrder} />}
            <Columns
              main={
                <>
                  <div>
                    <StaleNote since={isRefetchError ? dataUpdatedAt : null} />
                    <SummaryCard overview={overview} />
                  </div>
                  <NextProduction overview={overview} />
                  <CollectDividends overview={overview} onAnswered={refetch} />
                  {overview && !overview.plan && !isExitSession && <Note tone="lode">{t('pledge.planNone')}</Note>}
                </>
              }
              side={
                isOffered && (
                  <FormCard
                    id={formId}
                    form={form}
                    overview={overview}
                    onSubmit={() => pledgePreview.show(form.buildPreview())}
                  />
                )
              }
            />
          </>
        )}
      </Loaded>
      {pledgePreview.preview && (
        <PledgeSheet
          preview={pledgePreview.preview}
          onClose={pledgePreview.close}
          onRefreshPreview={pledgePreview.refresh}
          onOrderCreated={(orderId) => {
            pledgePreview.close()
            form.write('')
            showOrder(orderId)
          }}
        />
      )}
    </View>
  )
}

function UnfinishedOrder({ order }: { order: NonNullable<PledgeOverview['open']> }) {
  const t = useText()
  return <OpenOrder order={order} title={pledgeOrderPresenter.title(t, order)} confirming={t('pledge.confirming')} />
}

function PledgeTopBar({ onRefresh }: Pick<ComponentProps<typeof RefreshButton>, 'onRefresh'>) {
  const t = useText()
  return (
    <TopBar
      title={t('shell.titles.pledge')}
      start={<RefreshButton onRefresh={onRefresh} />}
      end={
        <Link to="/pledge/detail" className={styles.records}>
          {t('pledge.records')}
        </Link>
      }
    />
  )
}

type PreviewButtonProps = { form: string; pool: ReturnType<typeof usePoolChain>; overview: PledgeOverview | undefined }

/**
 * Submits the form. Busy until the overview and the pool's chain data are loaded: the quantity is parsed with the
 * token's decimals.
 */
function PreviewButton({ form, pool, overview }: PreviewButtonProps) {
  const t = useText()
  return (
    <PoolButton pool={pool} type="submit" form={form} busy={!overview || !pool.chain}>
      {t('pledge.preview')}
    </PoolButton>
  )
}
