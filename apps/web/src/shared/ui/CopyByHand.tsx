import { type ComponentProps, type ComponentType, lazy, Suspense } from 'react'
import type { CopyState } from '../clipboard/index.ts'
import { useText } from '../i18n/index.ts'
import type { TextSheet as Sheet } from './TextSheet.tsx'

/**
 * Loaded on demand, because few browsers need it. If loading fails, the toast has already said that the copy failed.
 */
const TextSheet = lazy<ComponentType<ComponentProps<typeof Sheet>>>(() =>
  import('./TextSheet.tsx').then(
    ({ TextSheet }) => ({ default: TextSheet }),
    () => ({ default: () => null }),
  ),
)

/** Shows the text that could not be copied, already selected. Every copy button has one, except in `FileSheet`. */
export function CopyByHand({ copying: { byHand, endByHand } }: { copying: CopyState }) {
  const t = useText()
  if (byHand === null) return null
  return (
    <Suspense>
      <TextSheet title={t('common.byHand.title')} text={t('common.byHand.text')} value={byHand} onClose={endByHand} />
    </Suspense>
  )
}
