import { useText } from '../../shared/i18n/index.ts'
import { Mark } from '../../shared/ui/index.ts'
import styles from './sign-in.module.css'

type BrandProps = {
  /** Where the page is about something else than signing in, that is its heading and the mark stands small above it. */
  title?: string
  text?: string
}

/** Stands at the same height through a whole sign-in, so that only what changes moves. */
export function Brand({ title, text }: BrandProps) {
  const t = useText()
  return (
    <div className={styles.brand} data-small={title === undefined ? undefined : ''}>
      <Mark size={title === undefined ? 96 : 64} />
      <h1 className={styles.name}>{title ?? t('common.appName')}</h1>
      <p className={styles.tagline}>{text ?? t('common.tagline')}</p>
    </div>
  )
}
