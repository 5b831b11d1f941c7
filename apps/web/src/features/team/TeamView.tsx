import { useText } from '../../shared/i18n/index.ts'
import { Columns, failedToLoad, Loaded, RefreshButton, StaleNote, TopBar, View } from '../../shared/ui/index.ts'
import { SettingLink } from '../profile/index.ts'
import { Invitations } from './Invitations.tsx'
import { LayersCard } from './LayersCard.tsx'
import { NetCard } from './NetCard.tsx'
import { TeamFigures } from './TeamFigures.tsx'
import { useInvitations, useTeamOverview } from './use-team.ts'

export function TeamView() {
  const t = useText()
  const overview = useTeamOverview()
  const invitations = useInvitations()
  const { isRefetchError, dataUpdatedAt } = overview
  const refresh = () => Promise.all([overview.refetch(), invitations.refetch()])
  return (
    <View
      wide
      centered={failedToLoad(overview)}
      onRefresh={refresh}
      top={
        <TopBar title={t('shell.titles.teams')} start={<RefreshButton onRefresh={refresh} />} end={<SettingLink />} />
      }
    >
      <Loaded query={{ ...overview, refetch: refresh }} failed={t('team.failed')} offline={t('team.offlineText')}>
        {(data) => (
          <Columns
            main={
              <>
                <div>
                  <StaleNote since={isRefetchError ? dataUpdatedAt : null} />
                  <TeamFigures overview={data} />
                </div>
                <NetCard overview={data} />
                <LayersCard overview={data} detailed />
              </>
            }
            side={<Invitations list={invitations} />}
          />
        )}
      </Loaded>
    </View>
  )
}
