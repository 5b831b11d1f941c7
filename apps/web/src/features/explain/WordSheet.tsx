import { useText } from '../../shared/i18n/index.ts'
import { Sheet } from '../../shared/ui/index.ts'
import styles from './explain.module.css'
import { HelpLink } from './HelpLink.tsx'
import type { Word } from './word.ts'

/** The help article that explains the word. */
const articleOf = {
  effective: 'what-a-pledge-is',
  share: 'what-a-pledge-is',
  frozen: 'how-to-begin',
  activated: 'what-a-promotion-is',
  quota: 'money-in-and-out',
  power: 'what-a-promotion-is',
} as const satisfies Record<Word, string>

type WordSheetProps = { word: Word; open: boolean; onClose: () => void }

export function WordSheet({ word, open, onClose }: WordSheetProps) {
  const t = useText()
  const article = articleOf[word]
  return (
    <Sheet open={open} onClose={onClose} title={t(`explain.words.${word}.name`)}>
      <p className={styles.text}>{t(`explain.words.${word}.text`)}</p>
      <HelpLink
        article={article}
        text={t('explain.more', { title: t(`explain.articles.${article}`) })}
        onLeave={onClose}
      />
    </Sheet>
  )
}
