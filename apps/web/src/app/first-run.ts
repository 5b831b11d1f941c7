import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useEffect, useState } from 'react'
import { read } from '../shared/api/index.ts'
import { loadTextsOfMembers } from '../shared/i18n/index.ts'
import { useSession } from '../shared/session/index.ts'

/**
 * The risk explanation, if the signed-in member has not accepted it; otherwise null. It is shown before every page. An
 * exit session does not see it. If it cannot be loaded, the app continues and asks again when it is next opened.
 */
export function useFirstRun(): ComponentType | null {
  const asked = useSession(({ token, exit, setupCode }) => token !== null && !exit && setupCode === null)
  const { data } = useQuery({ ...read('account/profile', {}), retryOnMount: false, enabled: asked })
  const waits = asked && data !== undefined && data.risk.acceptedAt === null
  const [screen, setScreen] = useState<{ View: ComponentType } | null>(null)
  useEffect(() => {
    if (!waits) return
    Promise.all([import('../features/first-run/index.ts'), loadTextsOfMembers()]).then(
      ([{ FirstRunView }]) => setScreen({ View: FirstRunView }),
      () => {},
    )
  }, [waits])
  return waits ? (screen?.View ?? null) : null
}
