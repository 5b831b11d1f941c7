import { useText } from '../../shared/i18n/index.ts'
import { isNotLoaded, Loaded, OldNote, RefreshButton, TopBar, View } from '../../shared/ui/index.ts'
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
  const { isRefetchError, dataUpdatedAt } = overview
  const refresh = () => Promise.all([overview.refetch(), invitations.refetch()])
  return (
    <View
      centred={isNotLoaded(overview)}
      onRefresh={refresh}
      top={
        <TopBar title={t('shell.titles.teams')} start={<RefreshButton onRefresh={refresh} />} end={<SettingLink />} />
      }
    >
      <Loaded query={{ ...overview, refetch: refresh }} failed={t('team.failed')} offline={t('team.offlineText')}>
        {(data) => (
          <>
            <div>
              <OldNote since={isRefetchError ? dataUpdatedAt : null} />
              <Figures overview={data} />
            </div>
            <NetCard overview={data} />
            <LayersCard overview={data} detailed />
            <Invitations list={invitations} />
          </>
        )}
      </Loaded>
    </View>
  )
}
