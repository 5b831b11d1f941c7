import { Component, type ReactNode } from 'react'
import { useText } from '../shared/i18n/index.ts'
import { reportViewError } from '../shared/report/index.ts'
import { Button } from '../shared/ui/index.ts'
import { ErrorPage } from './ErrorPage.tsx'

type ErrorBoundaryProps = {
  children: ReactNode
  /** Drawn instead of the failed children. By default a whole error page. */
  fallback?: ReactNode
}

/** Catches an error that a view throws while it renders, so that the rest of the app keeps working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    reportViewError(error)
  }

  override render() {
    const { children, fallback = <ViewFailedPage /> } = this.props
    return this.state.failed ? fallback : children
  }
}

export function ViewFailedPage() {
  const t = useText()
  return (
    <ErrorPage code={500} title={t('shell.failed.title')} text={t('shell.failed.text')}>
      {/* This component, React and the browser remember the failure. Only a reload makes them forget it. */}
      <Button onClick={() => window.location.reload()}>{t('common.retry')}</Button>
    </ErrorPage>
  )
}
