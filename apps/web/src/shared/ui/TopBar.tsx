import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../i18n/index.ts'
import { IconButton } from './IconButton.tsx'
import styles from './TopBar.module.css'

type TopBarProps = {
  title?: string
  onBack?: () => void
  start?: ReactNode
  end?: ReactNode
}

export function TopBar({ title, onBack, start, end }: TopBarProps) {
  const t = useText()
  return (
    <header className={styles.bar} data-untitled={title ? undefined : ''}>
      <div className={styles.side}>
        {onBack && <IconButton label={t('common.back')} onClick={onBack} icon={<ChevronLeft size={24} />} />}
        {start}
      </div>
      {title && <h1 className={styles.title}>{title}</h1>}
      <div className={styles.side} data-end="">
        {end}
      </div>
    </header>
  )
}
