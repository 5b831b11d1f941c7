import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Address } from 'viem'

/** The browser of a session: its user agent, and the hash of its random id. The id itself is not stored. */
export type Browser = { readonly deviceHash: Buffer | null; readonly userAgent: string | null }

const MAX_USER_AGENT_LENGTH = 300

export function readBrowser(account: Address, request: FastifyRequest, deviceId: string | undefined): Browser {
  const userAgent = request.headers['user-agent']?.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT_LENGTH)
  return { deviceHash: deviceId === undefined ? null : hashDevice(account, deviceId), userAgent: userAgent || null }
}

/** The hash includes the account, so that the database does not show which members share a browser. */
const hashDevice = (account: Address, deviceId: string): Buffer =>
  createHash('sha256').update(`${account} ${deviceId}`).digest()

type BrowserAndSystem = { readonly browser: string | null; readonly system: string | null }

/** The first match counts. Nearly all user agents also claim to be Chrome or Safari, so these come last. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/OneKey/i, 'OneKey'],
  [/\bTrust(?:Wallet)?\//i, 'Trust Wallet'],
  [/BitKeep|Bitget/i, 'Bitget Wallet'],
  [/MetaMask/i, 'MetaMask'],
  [/TokenPocket/i, 'TokenPocket'],
  [/imToken/i, 'imToken'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS|Opera)\b/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/Version\/[\d.]+.*Safari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** The names by which people know their browser and system. Null if unknown. */
export const parseUserAgent = (userAgent: string): BrowserAndSystem => ({
  browser: findFirstMatch(BROWSERS, userAgent),
  system: findFirstMatch(SYSTEMS, userAgent),
})

const findFirstMatch = (rules: readonly (readonly [RegExp, string])[], text: string): string | null =>
  rules.find(([pattern]) => pattern.test(text))?.[1] ?? null
