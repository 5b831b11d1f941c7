import { errorText } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { session } from '../../shared/session/index.ts'
import { Address, LoadingStatus, Mark, NotLoaded, Pill, TopBar, View } from '../../shared/ui/index.ts'
import { NoticeBar, NoticeBell } from '../notice/index.ts'
import { SettingLink, useProfile } from '../profile/index.ts'
import { BalanceGlance } from '../wallet/index.ts'
import { LastProduction } from './LastProduction.tsx'
import { MemberCard } from './MemberCard.tsx'
import { PoolCard } from './PoolCard.tsx'
import { RecentProductions } from './RecentProductions.tsx'
import { Shortcuts } from './Shortcuts.tsx'

export function HomeView() {
  const t = useText()
  const { data: profile, error, isPaused, isFetching, refetch } = useProfile()
  const account = profile?.account ?? session.get().account ?? ''
  return (
    <View
      centred={!profile && (error !== null || isPaused)}
      top={
        <TopBar
          start={
            <>
              <h1 className="visually-hidden">{t('shell.titles.home')}</h1>
              <Mark size={28} bare />
              <Address value={account} />
              {profile && <Pill tone="lode">L{profile.level}</Pill>}
            </>
          }
          end={
            <>
              <NoticeBell />
              <SettingLink />
            </>
          }
        />
      }
    >
      {profile || !(error || isPaused) ? (
        <>
          {!profile && <LoadingStatus />}
          <BalanceGlance />
          <NoticeBar />
          <LastProduction />
          <Shortcuts />
          <RecentProductions />
          <PoolCard />
          <MemberCard profile={profile} />
        </>
      ) : (
        <NotLoaded
          title={t('profile.failed')}
          reason={error && errorText(t, error)}
          offline={isPaused ? t('home.offlineText') : null}
          busy={isFetching}
          onRetry={refetch}
        />
      )}
    </View>
  )
}
