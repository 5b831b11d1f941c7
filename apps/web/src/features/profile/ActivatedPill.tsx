import { useText } from '../../shared/i18n/index.ts'
import { Pill, Skeleton } from '../../shared/ui/index.ts'
import type { Profile } from './use-profile.ts'

export function ActivatedPill({ profile }: { profile: Profile | undefined }) {
  const t = useText()
  if (!profile)
    return (
      <Pill tone="neutral">
        <Skeleton>{t('profile.activated')}</Skeleton>
      </Pill>
    )
  if (profile.disabled) return <Pill tone="rose">{t('profile.disabled')}</Pill>
  return profile.activated ? (
    <Pill tone="jade">{t('profile.activated')}</Pill>
  ) : (
    <Pill tone="neutral">{t('profile.notActivated')}</Pill>
  )
}
