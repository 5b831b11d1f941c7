import { RISK_VERSION } from '@lode/wire'
import { call, queryClient, read } from '../../shared/api/index.ts'
import { session } from '../../shared/session/index.ts'
import type { Profile } from '../profile/index.ts'

/** Tells the server that the member has accepted the risks as this version of the app shows them. */
export async function acceptRisks() {
  const { account } = session.get()
  const answer = await call('account/accept-risk', { version: RISK_VERSION }, { quiet: true })
  if (answer.ok && session.get().account === account) {
    const { queryKey } = read('account/profile', {})
    // A read that began before the acceptance does not contain it.
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData<Profile>(queryKey, (profile) => profile && { ...profile, risk: answer.value })
    void queryClient.invalidateQueries({ queryKey })
  }
  return answer
}
