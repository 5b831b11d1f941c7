import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import { Sheet } from '../../shared/ui/index.ts'
import styles from './explain.module.css'
import { HOW_TO_BEGIN } from './help-article.ts'
import type { Word } from './word.ts'

type WordSheetProps = { word: Word; open: boolean; onClose: () => void }

export function WordSheet({ word, open, onClose }: WordSheetProps) {
  const t = useText()
  return (
    <Sheet open={open} onClose={onClose} title={t(`explain.words.${word}.name`)}>
      <p className={styles.text}>{t(`explain.words.${word}.text`)}</p>
      <Link className={styles.link} to={HOW_TO_BEGIN} onClick={onClose}>
        <span>{t('explain.more')}</span>
        <ChevronRight size={16} aria-hidden="true" />
      </Link>
    </Sheet>
  )
}
