import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../i18n/index.ts'
import { IconButton } from './IconButton.tsx'
import styles from './RefreshButton.module.css'

/** Does the same as pulling the view down, for members who cannot pull. */
export function RefreshButton({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const t = useText()
  const [busy, setBusy] = useState(false)
  async function refresh(): Promise<void> {
    setBusy(true)
    await onRefresh()
    setBusy(false)
  }
  return (
    <IconButton
      label={t('common.refresh')}
      aria-busy={busy}
      onClick={() => busy || refresh()}
      icon={<RefreshCw size={20} className={busy ? styles.turning : undefined} />}
    />
  )
}
