import { useState } from 'react'
import { wholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { PoolButton, usePoolChain } from '../../shared/pool/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Button, isNotLoaded, Loaded, Note, OldNote, RefreshButton, TopBar, View } from '../../shared/ui/index.ts'
import { OpenOrder, OpenOrderButton, openOrder } from '../order/index.ts'
import { SettingLink } from '../profile/index.ts'
import { CountsCard } from './CountsCard.tsx'
import { Ladder } from './Ladder.tsx'
import { LevelCard } from './LevelCard.tsx'
import { orderTitle } from './order-title.ts'
import { PromoteSheet } from './PromoteSheet.tsx'
import { type Preview, previewOf } from './preview.ts'
import { Unheard } from './Unheard.tsx'
import { type Overview, useOverview } from './use-promotion.ts'

export function PromotionView() {
  const t = useText()
  const query = useOverview()
  const { data, isRefetchError, dataUpdatedAt, refetch } = query
  const leaving = useSession(({ exit }) => exit)
  const [ordering, setOrdering] = useState<Preview | null>(null)
  const missing = isNotLoaded(query)

  /** Previews the next level with the current overview. If an order is open, that order is shown instead. */
  async function lookAgain(): Promise<Preview | null> {
    const { data: fresh } = await refetch()
    if (!fresh) return null
    if (fresh.open) {
      setOrdering(null)
      toast.error(t('refusals.order-open'))
      openOrder(fresh.open.id)
      return null
    }
    const preview = previewOf(fresh)
    setOrdering(preview)
    return preview
  }

  return (
    <View
      centred={missing}
      onRefresh={refetch}
      top={
        <TopBar
          title={t('shell.titles.promotion')}
          start={<RefreshButton onRefresh={refetch} />}
          end={<SettingLink />}
        />
      }
      foot={missing ? undefined : <Foot overview={data} leaving={leaving} onOrder={setOrdering} />}
    >
      <Loaded query={query} failed={t('promotion.failed')} offline={t('promotion.offlineText')}>
        {(data) => (
          <>
            {data && <Unheard overview={data} updatedAt={dataUpdatedAt} onLook={refetch} />}
            {data?.open && (
              <OpenOrder
                order={data.open}
                title={orderTitle(t, data.open)}
                confirming={t('promotion.confirming', { level: data.open.level })}
              />
            )}
            {data && !leaving && <Standing overview={data} />}
            <div>
              <OldNote since={isRefetchError ? dataUpdatedAt : null} />
              <LevelCard overview={data} />
            </div>
            {!leaving && <Ladder overview={data} />}
            <CountsCard overview={data} onClaimed={refetch} />
          </>
        )}
      </Loaded>
      {ordering && (
        <PromoteSheet
          preview={ordering}
          onClose={() => setOrdering(null)}
          onLookAgain={lookAgain}
          onMade={(id) => {
            setOrdering(null)
            openOrder(id)
          }}
        />
      )}
    </View>
  )
}

/** Why nothing can be ordered, if so, and what an order would not give. */
function Standing({ overview }: { overview: Overview }) {
  const t = useText()
  const { plan, open } = overview
  if (!plan) return <Note tone="lode">{t('promotion.planNone')}</Note>
  if (open) return null
  if (!plan.next) return <Note tone="sky">{t('promotion.highest')}</Note>
  return plan.next.airdropFunded ? null : <Note tone="lode">{t('promotion.airdropUnfunded')}</Note>
}

type FootProps = { overview: Overview | undefined; leaving: boolean; onOrder: (preview: Preview) => void }

/** The button for the next step. */
function Foot({ overview, leaving, onOrder }: FootProps) {
  const t = useText()
  const pool = usePoolChain()
  if (!overview)
    return (
      <Button disabled busy>
        {t('promotion.promote')}
      </Button>
    )
  const { open } = overview
  if (open) return <OpenOrderButton order={open} leaving={leaving} />
  const preview = previewOf(overview)
  if (!preview || leaving) return null
  const { level, price } = preview.level
  return (
    <PoolButton pool={pool} busy={!pool.chain} onClick={() => onOrder(preview)}>
      {t('promotion.promoteTo', { level, amount: wholeAmount(price, 'USDT') })}
    </PoolButton>
  )
}
