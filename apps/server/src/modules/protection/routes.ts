import { findLookAlike, ok, type Result, refused } from '@lode/kernel'
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

type ProtectionRoutesOptions = {
  db: Database
  challenges: Challenges
  hashing: PasswordHashing
  /** The vault and the token contracts: money sent there would be lost. */
  poolAddresses: readonly Address[]
}

/** A few calls a minute. The count of tries stops guesses; this limit keeps them from occupying the hashing slots. */
const RATE_LIMITED = { limit: { kind: 'protecting' } } as const

export function mountProtection(mount: Mount, options: ProtectionRoutesOptions): void {
  const { db, challenges, hashing, poolAddresses } = options
  /** Returns the state after a change, so that the screen shows the stored values. */
  async function answerWithProtection<E>(session: Session, result: Result<unknown, E>): Promise<Result<Protection, E>> {
    return result.ok ? ok(await readProtection(db, session)) : result
  }

  /** Verifies a signature by this account for this purpose. A sign-in signature, or another member's, is refused. */
  async function verifyOwnSignature<Kind extends ChallengePurpose>(
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
      const context = { db, hashing, session }
      if (setupCode !== undefined && password === undefined)
        return answerWithProtection(session, await chooseFundPassword(context, { setupCode, newPassword }))
      if (password !== undefined && setupCode === undefined)
        return answerWithProtection(session, await changeFundPassword(context, { password, newPassword }))
      return refused('format')
    },
    RATE_LIMITED,
  )

  mount(
    'account/fund-password/reset',
    async ({ session, input }) => {
      const signed = await verifyOwnSignature(session, input, 'fund-password-reset')
      if (!signed.ok) return signed
      return answerWithProtection(session, await askReset({ db, hashing, session }, signed.value, input.newPassword))
    },
    RATE_LIMITED,
  )

  mount(
    'account/fund-password/reset/cancel',
    async ({ session, input }) =>
      answerWithProtection(session, await cancelReset({ db, hashing, session }, input.password)),
    RATE_LIMITED,
  )

  mount(
    'account/fund-password/setup-code',
    async ({ session, input }) => {
      const signed = await verifyOwnSignature(session, input, 'setup-code')
      if (!signed.ok) return signed
      const issued = await issueSetupCode({ db, session }, signed.value)
      return issued.ok ? ok({ setupCode: issued.value }) : issued
    },
    RATE_LIMITED,
  )

  mount(
    'account/output-address',
    async ({ session, input }) => {
      if (!isAddress(input.address)) return refused('address-format')
      const address = parseAccount(input.address)
      if (!address || poolAddresses.some((poolAddress) => isAddressEqual(poolAddress, getAddress(address))))
        return refused('output-address-refused')
      const { addressesUsed } = await readProtection(db, session)
      const asked = await askOutputAddress({ db, hashing, session }, { address, password: input.password })
      if (!asked.ok) return asked
      return ok({ protection: await readProtection(db, session), lookAlike: findLookAlike(address, addressesUsed) })
    },
    RATE_LIMITED,
  )

  mount('account/output-address/cancel', async ({ session }) =>
    answerWithProtection(session, await cancelOutputAddress({ db, hashing, session })),
  )

  mount(
    'account/transfer-lock',
    async ({ session, input }) => answerWithProtection(session, await lockTransfers({ db, hashing, session }, input)),
    RATE_LIMITED,
  )

  mount('account/security-log', async ({ session, input }) => ok(await readSecurityLog(db, session, input)))
}
