import { FundPasswordCard } from './FundPasswordCard.tsx'
import { HoldsCard } from './HoldsCard.tsx'
import { OutputAddressCard } from './OutputAddressCard.tsx'
import { SecurityLogCard } from './SecurityLogCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { TransferLockCard } from './TransferLockCard.tsx'
import { useProtection } from './use-protection.ts'

/** The protections of the account. If they could not be loaded, the profile above says so, and this draws nothing. */
export function ProtectionCards() {
  const { query, profile, protection, now } = useProtection()
  if (!protection && (query.error || query.isPaused)) return null
  const full = profile?.mode === 'full'
  return (
    <>
      {protection && <HoldsCard protection={protection} now={now} />}
      <FundPasswordCard protection={protection} now={now} />
      <OutputAddressCard protection={protection} now={now} canChange={full} />
      {full && protection && (
        <>
          <TransferLockCard protection={protection} now={now} />
          <SessionsCard />
          <SecurityLogCard />
        </>
      )}
    </>
  )
}
