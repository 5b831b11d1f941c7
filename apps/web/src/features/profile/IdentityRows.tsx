import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { AddressTail, Row, Skeleton } from '../../shared/ui/index.ts'
import type { Profile } from './use-profile.ts'

/** The member's inviter, and its last sign-in. */
export function IdentityRows({ profile }: { profile: Profile | undefined }) {
  const t = useText()
  const language = useLanguage()
  return (
    <>
      <Row label={t('profile.inviter')}>
        {!profile ? (
          <Skeleton>
            <AddressTail value="000000" />
          </Skeleton>
        ) : profile.inviterTail ? (
          <AddressTail value={profile.inviterTail} />
        ) : (
          t('profile.noInviter')
        )}
      </Row>
      <Row label={t('profile.lastLogin')}>
        {!profile ? (
          <Skeleton>{t('profile.firstLogin')}</Skeleton>
        ) : profile.lastLoginAt ? (
          t('profile.loginBefore', { moment: formatMoment(profile.lastLoginAt, language) })
        ) : (
          t('profile.firstLogin')
        )}
      </Row>
    </>
  )
}
