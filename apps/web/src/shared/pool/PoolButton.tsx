import type { ComponentProps } from 'react'
import { useText } from '../i18n/index.ts'
import { Button } from '../ui/index.ts'
import { BlockedNote } from './BlockedNote.tsx'
import type { usePoolChain } from './use-pool-chain.ts'

type PoolButtonProps = ComponentProps<typeof Button> & {
  pool: Pick<ReturnType<typeof usePoolChain>, 'problem' | 'readAgain'>
}

/** A button that needs the pool's chain. If the pool did not answer, a text says so, and the button reads again. */
export function PoolButton({ pool: { problem, readAgain }, ...button }: PoolButtonProps) {
  const t = useText()
  return (
    <>
      {problem && (
        <div role="alert">
          <BlockedNote>{problem}</BlockedNote>
        </div>
      )}
      {/* One element in both cases, so that it keeps the focus. */}
      <Button {...(problem ? { onClick: readAgain, children: t('common.retry') } : button)} />
    </>
  )
}
