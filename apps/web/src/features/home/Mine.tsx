import { isZero } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Card, OwnAmounts, StaleNote } from '../../shared/ui/index.ts'
import { NoticeBar } from '../notice/index.ts'
import { Collect } from './Collect.tsx'
import { Earned } from './Earned.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { Have } from './Have.tsx'
import { PartFailed } from './PartFailed.tsx'
import { ProductionShare } from './ProductionShare.tsx'
import { type Home, useHome } from './use-home.ts'

/**
 * The member's own part of the page: what the member has, earned and can collect, the share of the last production, and
 * the first steps until the first pledge.
 */
export function Mine() {
  const t = useText()
  const { data, error, isPaused, isFetching, isRefetchError, dataUpdatedAt, refetch } = useHome()
  if (!data && (error || isPaused))
    return (
      <>
        <NoticeBar />
        <Card title={t('wallet.total')}>
          <PartFailed title={t('home.failed')} error={error} busy={isFetching} onRetry={refetch} />
        </Card>
      </>
    )
  return (
    <>
      <OwnAmounts>
        <Have home={data} />
      </OwnAmounts>
      {isRefetchError && <StaleNote since={dataUpdatedAt} />}
      <NoticeBar />
      {data?.steps && <FirstSteps steps={data.steps} />}
      <OwnAmounts>
        {!(data?.steps && hasEarnedNothing(data)) && <Earned home={data} />}
        <Collect home={data} />
      </OwnAmounts>
      <ProductionShare home={data} />
    </>
  )
}

const hasEarnedNothing = ({ earned }: Home): boolean => earned.items.every(({ all }) => isZero(all))
