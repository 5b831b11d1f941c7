import { lookAlikeOf, ok, type Result, refused } from '@lode/kernel'
import type { ChallengePurpose } from '@lode/wire'
import { type Address, getAddress, isAddress, isAddressEqual } from 'viem'
import { readClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Session } from '../../platform/http/session.ts'
import { type Challenges, parseAccount } from '../identity/index.ts'
import {
  askOutputAddress,
  askReset,
  cancelOutputAddress,
  cancelReset,
  changeFundPassword,
  chooseFundPassword,
  issueSetupCode,
  lockTransfers,
} from './commands.ts'
import type { PasswordHashing } from './password-hashing.ts'
import { type Protection, readProtection, readSecurityLog } from './queries.ts'

type ProtectionRoutes = {
  db: Database
  challenges: Challenges
  hashing: PasswordHashing
  /** The vault and the token contracts: money sent there would be lost. */
  poolAddresses: readonly Address[]
}

/** A few calls a minute. Guesses are stopped by the count of tries, and must not keep the hashing busy either. */
const GUARDED = { limit: { kind: 'protecting' } } as const

export function mountProtection(mount: Mount, { db, challenges, hashing, poolAddresses }: ProtectionRoutes): void {
  /** Returns the state after a change, so that the screen shows the stored values. */
  async function withState<E>(session: Session, result: Result<unknown, E>): Promise<Result<Protection, E>> {
    return result.ok ? ok(await readProtection(db, session)) : result
  }

  /** Verifies a signature by this account for this purpose. A sign-in signature, or another member's, is refused. */
  async function verifyOwn<Kind extends ChallengePurpose>(
    session: Session,
    posted: { message: string; signature: string },
    kind: Kind,
  ) {
    const signed = await challenges.verify(posted, (purpose): purpose is { kind: Kind } => purpose.kind === kind)
    return signed.ok && signed.value.account !== session.account ? refused('message-invalid' as const) : signed
  }

  mount('account/challenge', async ({ session, input }) =>
    ok({ message: challenges.write(session.account, { kind: input.purpose }, await readClock(db)) }),
  )

  mount(
    'account/fund-password',
    async ({ session, input }) => {
      const { newPassword, setupCode, password } = input
      const acting = { db, hashing, session }
      if (setupCode !== undefined && password === undefined)
        return withState(session, await chooseFundPassword(acting, { setupCode, newPassword }))
      if (password !== undefined && setupCode === undefined)
        return withState(session, await changeFundPassword(acting, { password, newPassword }))
      return refused('format')
    },
    GUARDED,
  )

  mount(
    'account/fund-password/reset',
    async ({ session, input }) => {
      const signed = await verifyOwn(session, input, 'fund-password-reset')
      if (!signed.ok) return signed
      return withState(session, await askReset({ db, hashing, session }, signed.value, input.newPassword))
    },
    GUARDED,
  )

  mount(
    'account/fund-password/reset/cancel',
    async ({ session, input }) => withState(session, await cancelReset({ db, hashing, session }, input.password)),
    GUARDED,
  )

  mount(
    'account/fund-password/setup-code',
    async ({ session, input }) => {
      const signed = await verifyOwn(session, input, 'setup-code')
      if (!signed.ok) return signed
      const issued = await issueSetupCode({ db, session }, signed.value)
      return issued.ok ? ok({ setupCode: issued.value }) : issued
    },
    GUARDED,
  )

  mount(
    'account/output-address',
    async ({ session, input }) => {
      if (!isAddress(input.address)) return refused('address-format')
      const address = parseAccount(input.address)
      if (!address || poolAddresses.some((pools) => isAddressEqual(pools, getAddress(address))))
        return refused('output-address-refused')
      const { addressesUsed } = await readProtection(db, session)
      const asked = await askOutputAddress({ db, hashing, session }, { address, password: input.password })
      if (!asked.ok) return asked
      return ok({ protection: await readProtection(db, session), lookAlike: lookAlikeOf(address, addressesUsed) })
    },
    GUARDED,
  )

  mount('account/output-address/cancel', async ({ session }) =>
    withState(session, await cancelOutputAddress({ db, hashing, session })),
  )

  mount(
    'account/transfer-lock',
    async ({ session, input }) => withState(session, await lockTransfers({ db, hashing, session }, input)),
    GUARDED,
  )

  mount('account/security-log', async ({ session, input }) => ok(await readSecurityLog(db, session, input)))
}
