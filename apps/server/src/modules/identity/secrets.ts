import { createHash, randomBytes } from 'node:crypto'
import {
  crockfordFromBytes,
  type Id,
  type InvitationCode,
  makeId,
  makeInvitationCode,
  normalizeCrockford,
} from '@lode/kernel'

const TOKEN_BYTES = 32
const SETUP_CODE_CHARACTERS = 16

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** A plain hash is enough, because tokens and set-up codes are too random to be guessed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export const newSetupCode = (): string => crockfordFromBytes(randomBytes(SETUP_CODE_CHARACTERS))

export const hashSetupCode = (code: string): Buffer => createHash('sha256').update(normalizeCrockford(code)).digest()

export const newSessionId = (time: Date): Id<'session'> => makeId(time, randomBytes(10))

export const newInvitationCode = (): InvitationCode => makeInvitationCode(randomBytes(7))
