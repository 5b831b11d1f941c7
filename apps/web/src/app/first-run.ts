import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useEffect, useState } from 'react'
import { read } from '../shared/api/index.ts'
import { loadMemberTexts } from '../shared/i18n/index.ts'
import { useSession } from '../shared/session/index.ts'

/**
 * The risk explanation, if the signed-in member has not accepted it; otherwise null. It replaces every page. An exit
 * session does not see it. If it cannot be loaded, the app continues and asks again when it is next opened.
 */
export function useFirstRun(): ComponentType | null {
  const isFullSession = useSession(({ token, exit, setupCode }) => token !== null && !exit && setupCode === null)
  const { data } = useQuery({ ...read('account/profile', {}), retryOnMount: false, enabled: isFullSession })
  const isUnaccepted = isFullSession && data !== undefined && data.risk.acceptedAt === null
  const [screen, setScreen] = useState<{ View: ComponentType } | null>(null)
  useEffect(() => {
    if (!isUnaccepted) return
    Promise.all([import('../features/first-run/index.ts'), loadMemberTexts()]).then(
      ([{ FirstRunView }]) => setScreen({ View: FirstRunView }),
      () => {},
    )
  }, [isUnaccepted])
  return isUnaccepted ? (screen?.View ?? null) : null
}
