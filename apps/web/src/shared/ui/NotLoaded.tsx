import { CloudOff } from 'lucide-react'
import { useText } from '../i18n/index.ts'
import { Button } from './Button.tsx'
import { StateNote } from './StateNote.tsx'

type NotLoadedProps = {
  title: string
  reason: string | null
  /** What will happen when the network is back; null where the network is not what is missing. */
  offline?: string | null
  /** True where it is a part of its screen, which has another first action. */
  quiet?: boolean
  busy: boolean
  onRetry: () => unknown
}

/** In the place of what could not be had: why, and the way to it. */
export function NotLoaded({ title, reason, offline = null, quiet = false, busy, onRetry }: NotLoadedProps) {
  const t = useText()
  if (offline !== null)
    return (
      <StateNote
        picture={<CloudOff size={48} strokeWidth={1.5} color="var(--ink-2)" aria-hidden="true" />}
        title={t('common.offline')}
        text={offline}
      />
    )
  return (
    <StateNote title={title} text={reason ?? ''}>
      <Button tone={quiet ? 'quiet' : 'primary'} busy={busy} onClick={() => onRetry()}>
        {t('common.retry')}
      </Button>
    </StateNote>
  )
}
