import { useText } from '../i18n/index.ts'
import { Button } from '../ui/index.ts'
import { Said } from './Said.tsx'

/** In the place of a button that needs the pool's chain: the pool did not say where it is paid. Offers to ask again. */
export function PoolUnread({ problem, onReadAgain }: { problem: string; onReadAgain: () => void }) {
  const t = useText()
  return (
    <>
      <div role="alert">
        <Said>{problem}</Said>
      </div>
      <Button onClick={onReadAgain}>{t('common.retry')}</Button>
    </>
  )
}
