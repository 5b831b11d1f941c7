import { FundPasswordCard } from './FundPasswordCard.tsx'
import { HoldsCard } from './HoldsCard.tsx'
import { OutputAddressCard } from './OutputAddressCard.tsx'
import { SecurityLogCard } from './SecurityLogCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { TransferLockCard } from './TransferLockCard.tsx'
import { useProtection } from './use-protection.ts'

/** What protects the account. Where it could not be loaded, the profile above says so, and nothing is pretended here. */
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
