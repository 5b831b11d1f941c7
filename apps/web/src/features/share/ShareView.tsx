import { errorText } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import { LoadingStatus, Note, NotLoaded, TopBar, View } from '../../shared/ui/index.ts'
import { InviteCard } from './InviteCard.tsx'
import { useShareCard } from './use-share-card.ts'

export function ShareView() {
  const t = useText()
  const back = useBack('/home')
  const { data: card, error, isPaused, isFetching, refetch } = useShareCard()
  const missing = !card && (isPaused || error !== null)
  return (
    <View centred={missing} top={<TopBar title={t('shell.titles.share')} onBack={back} />}>
      {missing ? (
        <NotLoaded
          title={t('share.failed')}
          reason={error && errorText(t, error)}
          offline={isPaused ? t('share.offlineText') : null}
          busy={isFetching}
          onRetry={refetch}
        />
      ) : (
        <>
          {!card && <LoadingStatus />}
          <InviteCard card={card} />
          <Note tone="sky">{t('share.risk')}</Note>
        </>
      )}
    </View>
  )
}
