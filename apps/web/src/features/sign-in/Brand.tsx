import { useText } from '../../shared/i18n/index.ts'
import { Logo } from '../../shared/ui/index.ts'
import styles from './sign-in.module.css'

type BrandProps = {
  /** The page's heading. Without it, the heading is the app's name and the logo is large. */
  title?: string
  text?: string
}

/** Has the same height during the whole sign-in, so that only the changing parts move. */
export function Brand({ title, text }: BrandProps) {
  const t = useText()
  return (
    <div className={styles.brand} data-small={title === undefined ? undefined : ''}>
      <Logo size={title === undefined ? 96 : 64} />
      <h1 className={styles.name}>{title ?? t('common.appName')}</h1>
      <p className={styles.tagline}>{text ?? t('common.tagline')}</p>
    </div>
  )
}
