import { useChain } from '../../shared/api/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { PoolLink } from '../../shared/pool/index.ts'
import { useBack, type ViewProps } from '../../shared/routing/index.ts'
import { failedToLoad, Loaded, StaleNote, StateNote, TopBar, View } from '../../shared/ui/index.ts'
import { ArticleList } from './ArticleList.tsx'
import { ArticleText } from './ArticleText.tsx'
import styles from './HelpView.module.css'
import { useHelp } from './use-help.ts'

/** `?article=` shows one article. `?search=` restores the search when the member goes back. */
export function HelpView({ query }: ViewProps) {
  const t = useText()
  const language = useLanguage()
  const { article: slug, search = '' } = query
  const back = useBack(slug === undefined ? '/setting' : '/setting/help')
  const help = useHelp(language)
  const { isRefetchError, dataUpdatedAt } = help
  return (
    <View centered={failedToLoad(help)} top={<TopBar title={t('shell.titles.help')} onBack={back} />}>
      <Loaded query={help} failed={t('help.failed')} offline={t('help.offlineText')}>
        {(data) =>
          data?.articles.length === 0 ? (
            <StateNote title={t('common.list.empty')} text={t('help.emptyText')} />
          ) : (
            <div>
              <StaleNote since={isRefetchError ? dataUpdatedAt : null} />
              {slug === undefined ? (
                <ArticleList articles={data?.articles} searched={search} />
              ) : (
                <ArticleText articles={data?.articles} slug={slug} />
              )}
              <Contact />
            </div>
          )
        }
      </Loaded>
    </View>
  )
}

/** How to reach the operators, or that they have named no way. */
function Contact() {
  const t = useText()
  const chain = useChain().data
  if (chain?.contactUrl !== null) return <PoolLink to="contact" />
  return <p className={styles.noContact}>{t('help.contactNone')}</p>
}
