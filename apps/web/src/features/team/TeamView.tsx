import { errorText } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { LoadingStatus, NotLoaded, OldNote, RefreshButton, TopBar, View } from '../../shared/ui/index.ts'
import { SettingLink } from '../profile/index.ts'
import { Figures } from './Figures.tsx'
import { Invitations } from './Invitations.tsx'
import { LayersCard } from './LayersCard.tsx'
import { NetCard } from './NetCard.tsx'
import { useInvitations, useOverview } from './use-team.ts'

export function TeamView() {
  const t = useText()
  const overview = useOverview()
  const invitations = useInvitations()
  const { data, error, isPaused, isFetching, isRefetchError, dataUpdatedAt } = overview
  const missing = !data && (isPaused || error !== null)
  const refresh = () => Promise.all([overview.refetch(), invitations.refetch()])
  return (
    <View
      centred={missing}
      onRefresh={refresh}
      top={
        <TopBar title={t('shell.titles.teams')} start={<RefreshButton onRefresh={refresh} />} end={<SettingLink />} />
      }
    >
      {missing ? (
        <NotLoaded
          title={t('team.failed')}
          reason={error && errorText(t, error)}
          offline={isPaused ? t('team.offlineText') : null}
          busy={isFetching}
          onRetry={refresh}
        />
      ) : (
        <>
          {!data && <LoadingStatus />}
          <div>
            <OldNote since={isRefetchError ? dataUpdatedAt : null} />
            <Figures overview={data} />
          </div>
          <NetCard overview={data} />
          <LayersCard overview={data} detailed />
          <Invitations list={invitations} />
        </>
      )}
    </View>
  )
}
