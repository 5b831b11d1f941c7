import type { Language } from '@lode/wire'
import { Button, Mark } from '../shared/ui/index.ts'
import styles from './BootFailure.module.css'

/** The only texts outside the catalogues: they are for when no catalogue could be loaded. */
const texts: Record<Language, { title: string; retry: string }> = {
  en: { title: 'Page initialization failed', retry: 'Try again' },
  zh_tw: { title: '頁面初始化失敗', retry: '重試' },
  zh_cn: { title: '页面初始化失败', retry: '重试' },
}

export function BootFailure({ language }: { language: Language }) {
  const { title, retry } = texts[language]
  return (
    <main className={styles.page}>
      <Mark size={88} />
      <h1>{title}</h1>
      <Button onClick={() => window.location.reload()}>{retry}</Button>
    </main>
  )
}
