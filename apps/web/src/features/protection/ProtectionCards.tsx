import { useSession } from '../../shared/session/index.ts'
import { FundPasswordCard } from './FundPasswordCard.tsx'
import { HoldsCard } from './HoldsCard.tsx'
import { OutputAddressCard } from './OutputAddressCard.tsx'
import { SecurityLogCard } from './SecurityLogCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { TransferLockCard } from './TransferLockCard.tsx'
import { useProtection } from './use-protection.ts'

/**
 * The protections of the account. If they could not be loaded, the profile above says so, and this draws nothing. All
 * cards are drawn before they are loaded, so that the buttons below do not move away from the finger.
 */
export function ProtectionCards() {
  const { query, profile, protection, now } = useProtection()
  const isExitSession = useSession(({ exit }) => exit)
  if (!protection && (query.error || query.isPaused)) return null
  const full = profile ? profile.mode === 'full' : !isExitSession
  return (
    <>
      {protection && <HoldsCard protection={protection} now={now} />}
      <FundPasswordCard protection={protection} now={now} />
      <OutputAddressCard protection={protection} now={now} canChange={full} />
      {full && (
        <>
          <TransferLockCard protection={protection} now={now} />
          <SessionsCard />
          <SecurityLogCard />
        </>
      )}
    </>
  )
}
