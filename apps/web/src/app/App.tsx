import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Activity, lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { BrowserRouter, useLocation, useNavigate } from 'react-router'
import { queryClient, read } from '../shared/api/index.ts'
import { loadMemberTexts } from '../shared/i18n/index.ts'
import { ErrorBoundary } from '../shared/parts/index.ts'
import { session, useSession } from '../shared/session/index.ts'
import { LoadingOverlay } from '../shared/ui/index.ts'
import styles from './App.module.css'
import { useFirstRun } from './first-run.ts'
import { decideView } from './guard.ts'
import { LateToaster } from './LateToaster.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { Payments } from './Payments.tsx'
import { useIsLate } from './use-is-late.ts'
import { ViewFailedPage } from './ViewFailedPage.tsx'
import { Views } from './Views.tsx'
import { isSignInView, type ViewName } from './views.ts'

/** `first` is the view at the address with which the app was opened. It is already loaded. */
export function App({ first }: { first: ViewName }) {
  useLayoutEffect(() => document.getElementById('shell')?.remove(), [])
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <div className={styles.frame}>
          <OfflineBanner />
          <ResetNotice />
          <Payments />
          <ErrorBoundary fallback={<ViewFailedPage />}>
            <GuardedViews first={first} />
          </ErrorBoundary>
        </div>
        <SignedInWalletWatch />
      </BrowserRouter>
      <LateToaster />
      <LoadingOverlay />
    </QueryClientProvider>
  )
}

function GuardedViews({ first }: { first: ViewName }) {
  const navigate = useNavigate()
  const pageLocation = useLocation()
  const token = useSession((current) => current.token)
  const expired = useSession((current) => current.expired)
  const setupCode = useSession((current) => current.setupCode)
  const exit = useSession((current) => current.exit)
  const decision = decideView(pageLocation, { token, expired, setupCode, exit })
  const FirstRun = useFirstRun()
  const goTo = decision.kind === 'go' ? decision.to : null

  useEffect(() => {
    if (goTo !== null) navigate(goTo, { replace: true })
    else if (expired) session.acknowledgeExpiry()
  }, [goTo, expired, navigate])

  // During a redirect the app still shows the previous view.
  const [shown, setShown] = useState({ target: first, search: pageLocation.search, owner: token })
  if (decision.kind === 'show') {
    const next = { target: decision.view, search: pageLocation.search, owner: token }
    if (next.target !== shown.target || next.search !== shown.search || next.owner !== shown.owner) setShown(next)
  }
  const showsFirstRun = FirstRun !== null && !isSignInView(shown.target)
  return (
    <>
      {showsFirstRun && <FirstRun />}
      {/* The views stay mounted behind the risk explanation: they may still be loading, or the member may be in the
          middle of an input. */}
      <Activity mode={showsFirstRun ? 'hidden' : 'visible'}>
        <Views {...shown} />
      </Activity>
    </>
  )
}

/** Loads after the first paint. If loading fails, the app works but does not notice a changed wallet account. */
const WalletWatch = lazy(() =>
  Promise.all([import('../chain/index.ts'), loadMemberTexts()]).then(
    ([{ WalletWatch }]) => ({ default: WalletWatch }),
    () => ({ default: () => null }),
  ),
)

/**
 * Shows a pending reset of the fund password on every page, and is loaded only then. The setting page has the same
 * information, so the app continues if loading fails.
 */
const ResetBanner = lazy(() =>
  Promise.all([import('../features/protection/index.ts'), loadMemberTexts()]).then(
    ([{ ResetBanner }]) => ({ default: ResetBanner }),
    () => ({ default: () => null }),
  ),
)

function ResetNotice() {
  const signedIn = useSession(({ token }) => token !== null)
  const { data: profile } = useQuery({ ...read('account/profile', {}), retryOnMount: false, enabled: signedIn })
  return signedIn && profile?.protection.fundPassword.reset ? (
    <Suspense>
      <ResetBanner />
    </Suspense>
  ) : null
}

function SignedInWalletWatch() {
  const signedIn = useSession(({ token }) => token !== null)
  const isLate = useIsLate()
  return signedIn && isLate ? (
    <Suspense>
      <WalletWatch />
    </Suspense>
  ) : null
}
