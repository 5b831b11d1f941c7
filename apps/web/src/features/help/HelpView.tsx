import { errorText } from '../../shared/api/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { useBack, type ViewProps } from '../../shared/routing/index.ts'
import { NotLoaded, OldNote, StateNote, TopBar, View } from '../../shared/ui/index.ts'
import { ArticleList } from './ArticleList.tsx'
import { ArticleText } from './ArticleText.tsx'
import { useHelp } from './use-help.ts'

/** `?article=` shows one of them; `?search=` what was looked for, to come back to. */
export function HelpView({ query }: ViewProps) {
  const t = useText()
  const language = useLanguage()
  const { article: slug, search = '' } = query
  const back = useBack(slug === undefined ? '/setting' : '/setting/help')
  const { data, error, isPaused, isFetching, isRefetchError, dataUpdatedAt, refetch } = useHelp(language)
  const missing = !data && (isPaused || error !== null)
  return (
    <View centred={missing} top={<TopBar title={t('shell.titles.help')} onBack={back} />}>
      {missing ? (
        <NotLoaded
          title={t('help.failed')}
          reason={error && errorText(t, error)}
          offline={isPaused ? t('help.offlineText') : null}
          busy={isFetching}
          onRetry={refetch}
        />
      ) : data?.articles.length === 0 ? (
        <StateNote title={t('common.list.empty')} text={t('help.emptyText')} />
      ) : (
        <div>
          <OldNote since={isRefetchError ? dataUpdatedAt : null} />
          {slug === undefined ? (
            <ArticleList articles={data?.articles} searched={search} />
          ) : (
            <ArticleText articles={data?.articles} slug={slug} />
          )}
        </div>
      )}
    </View>
  )
}
