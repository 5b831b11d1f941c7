import { useNavigate } from 'react-router'
import { useText } from '../shared/i18n/index.ts'
import { useSession } from '../shared/session/index.ts'
import { Button } from '../shared/ui/index.ts'
import { ErrorPage } from './ErrorPage.tsx'

export function ForbiddenView() {
  const t = useText()
  return (
    <ErrorPage code={403} title={t('shell.forbidden.title')} text={t('shell.forbidden.text')}>
      <HomeOrLoginButton />
    </ErrorPage>
  )
}

export function NotFoundView() {
  const t = useText()
  return (
    <ErrorPage code={404} title={t('shell.notFound.title')} text={t('shell.notFound.text')}>
      <HomeOrLoginButton />
    </ErrorPage>
  )
}

export function FailedView() {
  const t = useText()
  return (
    <ErrorPage code={500} title={t('shell.failed.title')} text={t('shell.failed.text')}>
      <HomeOrLoginButton />
    </ErrorPage>
  )
}

function HomeOrLoginButton() {
  const t = useText()
  const navigate = useNavigate()
  const signedIn = useSession(({ token }) => token !== null)
  return (
    <Button onClick={() => navigate(signedIn ? '/home' : '/login', { replace: true })}>
      {signedIn ? t('shell.toHome') : t('shell.toLogin')}
    </Button>
  )
}
