import { useText } from '../../shared/i18n/index.ts'
import { Sheet } from '../../shared/ui/index.ts'
import styles from './explain.module.css'
import { HelpLink } from './HelpLink.tsx'
import type { Word } from './word.ts'

type WordSheetProps = { word: Word; open: boolean; onClose: () => void }

export function WordSheet({ word, open, onClose }: WordSheetProps) {
  const t = useText()
  return (
    <Sheet open={open} onClose={onClose} title={t(`explain.words.${word}.name`)}>
      <p className={styles.text}>{t(`explain.words.${word}.text`)}</p>
      <HelpLink article="how-to-begin" text={t('explain.more')} onLeave={onClose} />
    </Sheet>
  )
}
