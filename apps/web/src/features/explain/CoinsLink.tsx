import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../shared/i18n/index.ts'
import styles from './explain.module.css'
import { HOW_TO_BEGIN } from './help-article.ts'

/** A link to what USDT, BTN and the network's coin are for. Shown where a balance is too small. */
export function CoinsLink({ onLeave }: { onLeave: () => void }) {
  const t = useText()
  return (
    <Link className={styles.link} to={HOW_TO_BEGIN} onClick={onLeave}>
      <span>{t('explain.coins')}</span>
      <ChevronRight size={16} aria-hidden="true" />
    </Link>
  )
}
