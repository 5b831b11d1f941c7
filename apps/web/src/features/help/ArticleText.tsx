import { useNavigate } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { Button, Skeleton, StateNote } from '../../shared/ui/index.ts'
import styles from './ArticleText.module.css'
import type { Article, Spans } from './article-text.ts'

type ArticleTextProps = { articles: readonly Article[] | undefined; slug: string }

export function ArticleText({ articles, slug }: ArticleTextProps) {
  const t = useText()
  const navigate = useNavigate()
  if (!articles)
    return (
      <article className={styles.article} aria-busy="true">
        <h2>
          <Skeleton>{t('help.nothing')}</Skeleton>
        </h2>
        {SKELETON_PARAGRAPHS.map((index) => (
          <p key={index}>
            <Skeleton>{t('help.nothingText')}</Skeleton>
          </p>
        ))}
      </article>
    )
  const article = articles.find((one) => one.slug === slug)
  if (!article)
    return (
      <StateNote title={t('help.unknown')} text={t('help.unknownText')}>
        <Button tone="quiet" onClick={() => navigate('/setting/help', { replace: true })}>
          {t('help.toAll')}
        </Button>
      </StateNote>
    )
  return (
    <article className={styles.article}>
      <h2>{article.title}</h2>
      {article.blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an article is shown as it is, and its parts never move
        <BlockText key={index} block={block} />
      ))}
    </article>
  )
}

const SKELETON_PARAGRAPHS = [1, 2, 3, 4]

function BlockText({ block }: { block: Article['blocks'][number] }) {
  switch (block.kind) {
    case 'heading':
      return <h3>{block.text}</h3>
    case 'paragraph':
      return (
        <p>
          <SpansText spans={block.spans} />
        </p>
      )
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul'
      return (
        <List>
          {block.items.map((spans, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={index}>
              <SpansText spans={spans} />
            </li>
          ))}
        </List>
      )
    }
  }
}

const SpansText = ({ spans }: { spans: Spans }) =>
  spans.map(({ text, strong }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    strong ? <strong key={index}>{text}</strong> : text,
  )
