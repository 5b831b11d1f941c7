import { type ComponentProps, type ComponentType, lazy, Suspense } from 'react'
import type { Copying } from '../clipboard/index.ts'
import { useText } from '../i18n/index.ts'
import type { TextSheet as Sheet } from './TextSheet.tsx'

/** On demand, for few browsers need it. Where it cannot be loaded, the toast has said that the copy failed. */
const TextSheet = lazy<ComponentType<ComponentProps<typeof Sheet>>>(() =>
  import('./TextSheet.tsx').then(
    ({ TextSheet }) => ({ default: TextSheet }),
    () => ({ default: () => null }),
  ),
)

/** Shows a text that could not be copied, selected. Stands beside each button that copies. */
export function CopyByHand({ copying: { byHand, endByHand } }: { copying: Copying }) {
  const t = useText()
  if (byHand === null) return null
  return (
    <Suspense>
      <TextSheet title={t('common.byHand.title')} text={t('common.byHand.text')} value={byHand} onClose={endByHand} />
    </Suspense>
  )
}
