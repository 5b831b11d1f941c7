import { useText } from '../../shared/i18n/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import { failedToLoad, Loaded, Note, TopBar, View } from '../../shared/ui/index.ts'
import { InviteCard } from './InviteCard.tsx'
import { useShareCard } from './use-share-card.ts'

export function ShareView() {
  const t = useText()
  const back = useBack('/home')
  const query = useShareCard()
  return (
    <View centered={failedToLoad(query)} top={<TopBar title={t('shell.titles.share')} onBack={back} />}>
      <Loaded query={query} failed={t('share.failed')} offline={t('share.offlineText')}>
        {(card) => (
          <>
            <InviteCard card={card} />
            <Note tone="sky">{t('share.risk')}</Note>
          </>
        )}
      </Loaded>
    </View>
  )
}
