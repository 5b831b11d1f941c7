import { useState } from 'react'
import { formatWholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { PoolButton, usePoolChain } from '../../shared/pool/index.ts'
import { useSession } from '../../shared/session/index.ts'
import {
  Button,
  Columns,
  failedToLoad,
  Loaded,
  Note,
  RefreshButton,
  StaleNote,
  TopBar,
  View,
} from '../../shared/ui/index.ts'
import { OpenOrder, OpenOrderButton, showOrder } from '../order/index.ts'
import { SettingLink } from '../profile/index.ts'
import { CountsCard } from './CountsCard.tsx'
import { Ladder } from './Ladder.tsx'
import { LevelCard } from './LevelCard.tsx'
import { LostPromotionPress } from './LostPromotionPress.tsx'
import { orderTitle } from './order-title.ts'
import { PromoteSheet } from './PromoteSheet.tsx'
import { buildPromotionPreview, type PromotionPreview } from './preview.ts'
import { type PromotionOverview, usePromotionOverview } from './use-promotion-overview.ts'

export function PromotionView() {
  const t = useText()
  const query = usePromotionOverview()
  const { data, isRefetchError, dataUpdatedAt, refetch } = query
  const isExitSession = useSession(({ exit }) => exit)
  const [shownPreview, setShownPreview] = useState<PromotionPreview | null>(null)
  const missing = failedToLoad(query)

  /** Reads all data again and previews the next level. If an order is open, shows that order instead. */
  async function refreshPreview(): Promise<PromotionPreview | null> {
    const { data: fresh } = await refetch()
    if (!fresh) return null
    if (fresh.open) {
      setShownPreview(null)
      toast.error(t('refusals.order-open'))
      showOrder(fresh.open.id)
      return null
    }
    const preview = buildPromotionPreview(fresh)
    setShownPreview(preview)
    return preview
  }

  return (
    <View
      wide
      centered={missing}
      onRefresh={refetch}
      top={
        <TopBar
          title={t('shell.titles.promotion')}
          start={<RefreshButton onRefresh={refetch} />}
          end={<SettingLink />}
        />
      }
      foot={missing ? undefined : <Foot overview={data} isExitSession={isExitSession} onOrder={setShownPreview} />}
    >
      <Loaded query={query} failed={t('promotion.failed')} offline={t('promotion.offlineText')}>
        {(data) => (
          <>
            {data && <LostPromotionPress overview={data} updatedAt={dataUpdatedAt} onRefetch={refetch} />}
            {data?.open && (
              <OpenOrder
                order={data.open}
                title={orderTitle(t, data.open)}
                confirming={t('promotion.confirming', { level: data.open.level })}
              />
            )}
            {data && !isExitSession && <OrderingNote overview={data} />}
            <Columns
              main={
                <>
                  <div>
                    <StaleNote since={isRefetchError ? dataUpdatedAt : null} />
                    <LevelCard overview={data} />
                  </div>
                  {!isExitSession && <Ladder overview={data} />}
                </>
              }
              side={<CountsCard overview={data} onClaimed={refetch} />}
            />
          </>
        )}
      </Loaded>
      {shownPreview && (
        <PromoteSheet
          preview={shownPreview}
          onClose={() => setShownPreview(null)}
          onRefreshPreview={refreshPreview}
          onOrderCreated={(id) => {
            setShownPreview(null)
            showOrder(id)
          }}
        />
      )}
    </View>
  )
}

/** A note if nothing can be ordered, or if the reserve cannot pay the airdrop of an order. */
function OrderingNote({ overview }: { overview: PromotionOverview }) {
  const t = useText()
  const { plan, open } = overview
  if (!plan) return <Note tone="lode">{t('promotion.planNone')}</Note>
  if (open) return null
  if (!plan.next) return <Note tone="sky">{t('promotion.highest')}</Note>
  return plan.next.airdropFunded ? null : <Note tone="lode">{t('promotion.airdropUnfunded')}</Note>
}

type FootProps = {
  overview: PromotionOverview | undefined
  isExitSession: boolean
  onOrder: (preview: PromotionPreview) => void
}

/** The button for the next step. */
function Foot({ overview, isExitSession, onOrder }: FootProps) {
  const t = useText()
  const pool = usePoolChain()
  if (!overview)
    return (
      <Button disabled busy>
        {t('promotion.promote')}
      </Button>
    )
  const { open } = overview
  if (open) return <OpenOrderButton order={open} isExitSession={isExitSession} />
  const preview = buildPromotionPreview(overview)
  if (!preview || isExitSession) return null
  const { level, price } = preview.level
  return (
    <PoolButton pool={pool} busy={!pool.chain} onClick={() => onOrder(preview)}>
      {t('promotion.promoteTo', { level, amount: formatWholeAmount(price, 'USDT') })}
    </PoolButton>
  )
}
