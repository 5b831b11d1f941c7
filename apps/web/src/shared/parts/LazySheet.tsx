import { type ReactNode, Suspense, useEffect, useEffectEvent } from 'react'
import { useText } from '../i18n/index.ts'
import { showMessage } from '../notify/index.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'

type LazySheetProps = {
  children: ReactNode
  /** Called if the sheet cannot be loaded. It must unmount this component, so that the next press tries again. */
  onFailed: () => void
}

/** A sheet that is loaded when it is opened. If that fails, a message says so, and the page behind it stays. */
export const LazySheet = ({ children, onFailed }: LazySheetProps) => (
  <ErrorBoundary fallback={<LoadFailure onFailed={onFailed} />}>
    <Suspense>{children}</Suspense>
  </ErrorBoundary>
)

function LoadFailure({ onFailed }: Pick<LazySheetProps, 'onFailed'>) {
  const t = useText()
  const report = useEffectEvent(() => {
    showMessage({ tone: 'error', text: t('navigation.partFailed') })
    onFailed()
  })
  useEffect(() => report(), [])
  return null
}
