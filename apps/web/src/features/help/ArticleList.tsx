import { ChevronRight, Search } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { Field, Skeleton, StateNote } from '../../shared/ui/index.ts'
import styles from './ArticleList.module.css'
import { type Article, firstParagraph } from './article-text.ts'
import { searchArticles } from './search-articles.ts'

type ArticleListProps = { articles: readonly Article[] | undefined; searched: string }

export function ArticleList({ articles, searched }: ArticleListProps) {
  const t = useText()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(searched)
  const found = articles && searchArticles(articles, typed)
  const isSearching = typed.trim() !== ''

  /** Puts the search text into the address, so that going back shows the search again. */
  function keepSearch(event: MouseEvent): void {
    if (!isSearching || event.ctrlKey || event.metaKey || event.shiftKey) return
    navigate(`/setting/help?search=${encodeURIComponent(typed.trim())}`, { replace: true })
  }

  return (
    <>
      <Field
        label={t('help.search')}
        type="search"
        enterKeyHint="search"
        value={typed}
        onValue={setTyped}
        hint={isSearching && found ? t('help.found', { number: found.length }) : undefined}
        end={<Search className={styles.glass} size={20} aria-hidden="true" />}
      />
      {found?.length === 0 ? (
        <StateNote title={t('help.nothing')} text={t('help.nothingText')} />
      ) : (
        <ul className={styles.list} aria-hidden={!found}>
          {found
            ? found.map((article) => (
                <li key={article.slug} className={styles.line}>
                  <Link to={`/setting/help?article=${article.slug}`} className={styles.link} onClick={keepSearch}>
                    <span className={styles.words}>
                      <span className={styles.title}>{article.title}</span>
                      <span className={styles.beginning} title={firstParagraph(article)}>
                        {firstParagraph(article)}
                      </span>
                    </span>
                    <ChevronRight size={18} aria-hidden="true" />
                  </Link>
                </li>
              ))
            : SKELETON_LINES.map((number) => (
                <li key={number} className={styles.line}>
                  <span className={styles.link}>
                    <span className={styles.words}>
                      <span className={styles.title}>
                        <Skeleton>{t('help.nothing')}</Skeleton>
                      </span>
                      <span className={styles.beginning}>
                        <Skeleton>{t('help.nothingText')}</Skeleton>
                      </span>
                    </span>
                  </span>
                </li>
              ))}
        </ul>
      )}
    </>
  )
}

/** As many placeholder lines as fill a screen. */
const SKELETON_LINES = [1, 2, 3, 4, 5, 6, 7]
