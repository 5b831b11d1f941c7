import { findLookAlike, ok, type Result, refused } from '@lode/kernel'
import type { Address } from 'viem'
import { readClock } from '../../platform/clock/clock.ts'
import type { ApiConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import { createOpaqueIds } from '../../platform/http/opaque-ids.ts'
import type { Session } from '../../platform/http/session.ts'
import type { ChallengePurpose, Challenges } from '../identity/index.ts'
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
import { parseOutputAddress, verifyAddressSignature, verifyOwnSignature } from './signed-requests.ts'

type ProtectionRoutesOptions = {
  config: Pick<ApiConfig, 'nonceSecret'>
  db: Database
  challenges: Challenges
  hashing: PasswordHashing
  /** The vault and the token contracts: money sent there would be lost. */
  poolAddresses: readonly Address[]
}

/** A few calls a minute. The count of tries stops guesses; this limit keeps them from keeping argon2 busy. */
const RATE_LIMITED = { limit: { kind: 'protecting' } } as const

export function mountProtection(mount: Mount, options: ProtectionRoutesOptions): void {
  const { config, db, challenges, hashing, poolAddresses } = options
  const lineIds = createOpaqueIds(config.nonceSecret, 'security line')
  /** Returns the state after a change, so that the screen shows the stored values. */
  async function answerWithProtection<E>(session: Session, result: Result<unknown, E>): Promise<Result<Protection, E>> {
    return result.ok ? ok(await readProtection(db, session)) : result
  }

  mount('account/challenge', async ({ session, input }) => {
    const write = async (purpose: ChallengePurpose) =>
      ok({ message: challenges.write(session.account, purpose, await readClock(db)) })
    const { purpose: kind } = input
    if (kind !== 'output-address') return write({ kind })
    const address = parseOutputAddress(input.address ?? '', poolAddresses)
    return address.ok ? write({ kind, address: address.value }) : address
  })

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
      const signed = await verifyOwnSignature(challenges, session, input, 'fund-password-reset')
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
      const signed = await verifyOwnSignature(challenges, session, input, 'setup-code')
      if (!signed.ok) return signed
      const issued = await issueSetupCode({ db, session }, signed.value)
      return issued.ok ? ok({ setupCode: issued.value }) : issued
    },
    RATE_LIMITED,
  )

  mount(
    'account/output-address',
    async ({ session, input }) => {
      const parsed = parseOutputAddress(input.address, poolAddresses)
      if (!parsed.ok) return parsed
      const address = parsed.value
      const signed = await verifyAddressSignature(challenges, session, address, input)
      if (!signed.ok) return signed
      const { addressesUsed } = await readProtection(db, session)
      const { password } = input
      const asked = await askOutputAddress({ db, hashing, session }, { address, password, signed: signed.value })
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

  mount('account/security-log', async ({ session, page }) => ok(await readSecurityLog(db, session, page, lineIds)))
}
