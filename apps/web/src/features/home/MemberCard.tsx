import { formatDate } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, CopyableAddress, Rows, Skeleton } from '../../shared/ui/index.ts'
import { ActivatedPill, IdentityRows, type Profile } from '../profile/index.ts'
import styles from './MemberCard.module.css'

/** The member's account and level. Without a profile it draws a placeholder of the same shape. */
export function MemberCard({ profile }: { profile: Profile | undefined }) {
  const t = useText()
  const language = useLanguage()
  return (
    <Card>
      <div className={styles.head}>
        <div>
          <p className={styles.label}>{t('profile.level')}</p>
          <p className={styles.level}>{profile ? `L${profile.level}` : <Skeleton>L0</Skeleton>}</p>
          <ActivatedPill profile={profile} />
        </div>
        <div className={styles.since}>
          <p className={styles.label}>{t('profile.memberSince')}</p>
          <p className={styles.date}>
            {profile ? formatDate(profile.registeredAt, language) : <Skeleton>{t('profile.memberSince')}</Skeleton>}
          </p>
        </div>
      </div>
      <div className={styles.account}>
        <CopyableAddress label={t('home.account')} value={profile?.account} />
      </div>
      <Rows>
        <IdentityRows profile={profile} />
      </Rows>
    </Card>
  )
}
