import { useState } from 'react'
import { errorText } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import {
  ListEnd,
  LoadingStatus,
  listEnd,
  NotLoaded,
  OldNote,
  RefreshButton,
  StateNote,
  TopBar,
  View,
} from '../../shared/ui/index.ts'
import { FilterBar } from './FilterBar.tsx'
import { RewardLine } from './RewardLine.tsx'
import styles from './rewards.module.css'
import { type RewardFilters, useRewards, useThanksgiving } from './use-rewards.ts'
import { Waiting } from './Waiting.tsx'

/** Every reward for the promotion of another, also those that were missed, with their reasons. */
export function RewardsView() {
  const t = useText()
  const back = useBack('/promotion')
  const [filters, setFilters] = useState<RewardFilters>({})
  const list = useRewards(filters)
  const thanksgiving = useThanksgiving()
  const rewards = list.data?.pages.flatMap(({ items }) => items)
  const refresh = () => Promise.all([list.refetch(), thanksgiving.refetch()])
  return (
    <View
      onRefresh={refresh}
      top={<TopBar title={t('shell.titles.rewards')} onBack={back} end={<RefreshButton onRefresh={refresh} />} />}
    >
      <Waiting thanksgiving={thanksgiving.data} />
      <FilterBar filters={filters} onFilters={setFilters} />
      <OldNote since={list.isRefetchError && !list.isFetchNextPageError ? list.dataUpdatedAt : null} />
      {!rewards && (list.isPaused || list.error) ? (
        <NotLoaded
          title={t('rewards.failed')}
          reason={list.error && errorText(t, list.error)}
          offline={list.isPaused ? t('rewards.offlineText') : null}
          busy={list.isFetching}
          onRetry={refresh}
        />
      ) : rewards?.length === 0 ? (
        <StateNote
          title={t('common.list.empty')}
          text={filters.status || filters.type ? t('rewards.noMatch') : t('rewards.empty')}
        />
      ) : (
        <>
          {!rewards && <LoadingStatus />}
          <ol className={styles.list} aria-hidden={!rewards}>
            {rewards
              ? rewards.map((reward) => <RewardLine key={reward.id} reward={reward} />)
              : WAITING.map((place) => <RewardLine key={place} reward={undefined} />)}
          </ol>
          {rewards && <ListEnd state={listEnd(list)} onMore={() => void list.fetchNextPage()} />}
        </>
      )}
    </View>
  )
}

/** As many as fill a screen. */
const WAITING = [1, 2, 3, 4, 5]
