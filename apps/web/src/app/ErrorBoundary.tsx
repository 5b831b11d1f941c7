import { Component, type ReactNode } from 'react'
import { useText } from '../shared/i18n/index.ts'
import { Button } from '../shared/ui/index.ts'
import { ErrorPage } from './ErrorPage.tsx'

type ErrorBoundaryProps = {
  children: ReactNode
  /** What stands in its place; a whole page where nothing is said. */
  fallback?: ReactNode
}

/** A view that throws takes nothing else with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    const { children, fallback = <FailedPage /> } = this.props
    return this.state.failed ? fallback : children
  }
}

export function FailedPage() {
  const t = useText()
  return (
    <ErrorPage code={500} title={t('shell.failed.title')} text={t('shell.failed.text')}>
      {/* What failed is remembered here, by React and by the browser; a fresh page begins without it. */}
      <Button onClick={() => window.location.reload()}>{t('common.retry')}</Button>
    </ErrorPage>
  )
}
