import { useState } from 'react'
import { queryClient } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { session } from '../../shared/session/index.ts'
import { Address, Button, Columns, failedToLoad, Loaded, Logo, Pill, TopBar, View } from '../../shared/ui/index.ts'
import { NoticeBell } from '../notice/index.ts'
import { SettingLink, useProfile } from '../profile/index.ts'
import { AnnouncementBanner } from './AnnouncementBanner.tsx'
import styles from './HomeView.module.css'
import { MemberCard } from './MemberCard.tsx'
import { Mine } from './Mine.tsx'
import { PoolCard } from './PoolCard.tsx'
import { RecentProductions } from './RecentProductions.tsx'
import { Shortcuts } from './Shortcuts.tsx'

export function HomeView() {
  const t = useText()
  const query = useProfile()
  const { data: profile } = query
  const [refreshing, setRefreshing] = useState(false)
  async function refresh(): Promise<void> {
    setRefreshing(true)
    await queryClient.refetchQueries({ type: 'active' })
    setRefreshing(false)
  }
  const account = profile?.account ?? session.get().account ?? ''
  return (
    <View
      wide
      centered={failedToLoad(query)}
      onRefresh={refresh}
      top={
        <TopBar
          start={
            <>
              <h1 className="visually-hidden">{t('shell.titles.home')}</h1>
              <span className={styles.member}>
                <Logo size={28} bare />
                <Address value={account} />
                {profile && <Pill tone="lode">L{profile.level}</Pill>}
              </span>
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
      <Loaded query={query} failed={t('profile.failed')} offline={t('home.offlineText')}>
        {(profile) => (
          <>
            <AnnouncementBanner />
            <Columns
              main={
                <>
                  <Mine />
                  <Shortcuts />
                </>
              }
              side={
                <>
                  <RecentProductions />
                  <PoolCard />
                  <MemberCard profile={profile} />
                </>
              }
            />
            {/* For members who cannot pull. The top bar has no room for it on a narrow phone. */}
            <Button tone="plain" busy={refreshing} onClick={refresh}>
              {t('common.refresh')}
            </Button>
          </>
        )}
      </Loaded>
    </View>
  )
}
