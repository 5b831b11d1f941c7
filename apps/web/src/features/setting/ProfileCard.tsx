import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { session } from '../../shared/session/index.ts'
import {
  Avatar,
  Card,
  CopyableAddress,
  failedToLoad,
  Loaded,
  Pill,
  Row,
  Rows,
  Skeleton,
} from '../../shared/ui/index.ts'
import { ActivatedPill, IdentityRows, useProfile } from '../profile/index.ts'
import styles from './ProfileCard.module.css'

export function ProfileCard() {
  const t = useText()
  const language = useLanguage()
  const query = useProfile()
  return (
    <Card {...(!failedToLoad(query) && { title: t('setting.profile') })}>
      <Loaded quiet query={query} failed={t('profile.failed')}>
        {(profile) => (
          <>
            <div className={styles.who}>
              <Avatar account={profile?.account ?? session.get().account ?? ''} size={48} />
              <div className={styles.address}>
                <CopyableAddress label={t('setting.address')} value={profile?.account} />
              </div>
            </div>
            <Rows>
              <Row label={t('profile.level')}>
                <span className={styles.level}>
                  {profile ? `L${profile.level}` : <Skeleton>L0</Skeleton>}
                  <ActivatedPill profile={profile} />
                  {profile?.expert && <Pill tone="jade">{t('setting.expert')}</Pill>}
                  {profile?.partner && <Pill tone="jade">{t('setting.partner')}</Pill>}
                </span>
              </Row>
              <IdentityRows profile={profile} />
              <Row label={t('profile.memberSince')}>
                {profile ? (
                  formatMoment(profile.registeredAt, language)
                ) : (
                  <Skeleton>{t('profile.firstLogin')}</Skeleton>
                )}
              </Row>
            </Rows>
          </>
        )}
      </Loaded>
    </Card>
  )
}
