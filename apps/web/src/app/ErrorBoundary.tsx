import { Component, type ReactNode } from 'react'
import { useText } from '../shared/i18n/index.ts'
import { Button } from '../shared/ui/index.ts'
import { ErrorPage } from './ErrorPage.tsx'

type ErrorBoundaryProps = {
  children: ReactNode
  /** Drawn instead of the failed children. By default a whole error page. */
  fallback?: ReactNode
}

/** Contains an error of a view, so that the rest of the app continues. */
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
      {/* This component, React and the browser remember the failure. A reload starts without it. */}
      <Button onClick={() => window.location.reload()}>{t('common.retry')}</Button>
    </ErrorPage>
  )
}
