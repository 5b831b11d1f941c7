import { Component, type ReactNode } from 'react'
import { useText } from '../shared/i18n/index.ts'
import { Button } from '../shared/ui/index.ts'
import { ErrorPage } from './ErrorPage.tsx'

/** A view that throws takes nothing else with it. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <FailedPage /> : this.props.children
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
