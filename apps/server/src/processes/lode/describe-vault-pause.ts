import type { VaultPause } from '../../modules/vault/index.ts'
import { formatUtc } from './times.ts'

/** Follows "Vault:" or "The vault is". The pool's funders can still pay in. */
export const describeVaultPause = ({ until }: VaultPause): string =>
  `paused until ${formatUtc(until)} by a guardian: no payout leaves it, nothing is burned, and no member can pay in.`
