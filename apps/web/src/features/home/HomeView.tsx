import { CloudOff } from 'lucide-react'
import { Link } from 'react-router'
import { errorText } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { session } from '../../shared/session/index.ts'
import { Address, Avatar, Button, LoadingStatus, Mark, StateNote, TopBar, View } from '../../shared/ui/index.ts'
import { useProfile } from '../profile/index.ts'
import styles from './HomeView.module.css'
import { InviteCard } from './InviteCard.tsx'
import { MemberCard } from './MemberCard.tsx'

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
            </>
          }
          end={
            <Link to="/setting" className={styles.avatar} aria-label={t('shell.openSetting')}>
              <Avatar account={account} size={32} />
            </Link>
          }
        />
      }
    >
      {profile || !(error || isPaused) ? (
        <>
          {!profile && <LoadingStatus />}
          <MemberCard profile={profile} />
          {profile?.mode !== 'exit' && <InviteCard code={profile?.inviteCode} />}
        </>
      ) : isPaused ? (
        <StateNote
          picture={<CloudOff size={48} strokeWidth={1.5} color="var(--ink-2)" aria-hidden="true" />}
          title={t('home.offline')}
          text={t('home.offlineText')}
        />
      ) : (
        <StateNote title={t('profile.failed')} text={error ? errorText(t, error) : ''}>
          <Button busy={isFetching} onClick={() => refetch()}>
            {t('common.retry')}
          </Button>
        </StateNote>
      )}
    </View>
  )
}
