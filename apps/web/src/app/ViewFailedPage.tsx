import { useText } from '../shared/i18n/index.ts'
import { Button } from '../shared/ui/index.ts'
import { ErrorPage } from './ErrorPage.tsx'

/** Shown instead of a page that could not be drawn. */
export function ViewFailedPage() {
  const t = useText()
  return (
    <ErrorPage code={500} title={t('shell.failed.title')} text={t('shell.failed.text')}>
      {/* The error boundary, React and the browser remember the failure. Only a reload makes them forget it. */}
      <Button onClick={() => window.location.reload()}>{t('common.retry')}</Button>
    </ErrorPage>
  )
}
