import { rewardStatuses } from '@lode/wire'
import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { PagedList } from '../../shared/list/index.ts'
import { LazySheet, lazyComponent } from '../../shared/parts/index.ts'
import { useBack, type ViewProps } from '../../shared/routing/index.ts'
import { RefreshButton, TopBar, View } from '../../shared/ui/index.ts'
import { FilterBar } from './FilterBar.tsx'
import { PendingThanksgiving } from './PendingThanksgiving.tsx'
import { RewardLine } from './RewardLine.tsx'
import { type Reward, type RewardFilters, useRewards, useThanksgiving } from './use-rewards.ts'

const RewardSheet = lazyComponent(async () => (await import('./RewardSheet.tsx')).RewardSheet)

/** Every reward for another member's promotion, also the missed ones with their reasons. */
export function RewardsView({ query }: ViewProps) {
  const t = useText()
  const back = useBack('/promotion')
  const [filters, setFilters] = useState<RewardFilters>(() => {
    const status = rewardStatuses.find((one) => one === query.status)
    return status ? { status } : {}
  })
  const list = useRewards(filters)
  /** The reward as it was opened. It is looked up again, because it can be claimed while its sheet is open. */
  const [opened, setOpened] = useState<Reward | null>(null)
  const shown = opened && (list.items?.find(({ id }) => id === opened.id) ?? opened)
  const thanksgiving = useThanksgiving()
  const refresh = () => Promise.all([list.refetch(), thanksgiving.refetch()])
  return (
    <View
      onRefresh={refresh}
      top={<TopBar title={t('shell.titles.rewards')} onBack={back} end={<RefreshButton onRefresh={refresh} />} />}
    >
      <PendingThanksgiving thanksgiving={thanksgiving.data} onClaimed={refresh} />
      <FilterBar filters={filters} onFilters={setFilters} />
      <PagedList
        list={list}
        items={list.items}
        keyOf={rewardId}
        texts={{
          failed: t('rewards.failed'),
          offline: t('rewards.offlineText'),
          empty: filters.status || filters.type ? t('rewards.noMatch') : t('rewards.empty'),
        }}
        waiting={5}
        onRetry={refresh}
        line={(reward, index) => <RewardLine key={reward?.id ?? index} reward={reward} onOpen={setOpened} />}
      />
      {shown && (
        <LazySheet onFailed={() => setOpened(null)}>
          <RewardSheet reward={shown} onClose={() => setOpened(null)} />
        </LazySheet>
      )}
    </View>
  )
}

const rewardId = ({ id }: Reward): string => id
