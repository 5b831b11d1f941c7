import { ok, type Result, refused } from '@lode/kernel'
import { READ_PATIENCE_MS } from '../../shared/pool/index.ts'
import { approveOf, readAllowance, readBalance, readDomain, readPaused, readPermitNonce } from './contracts.ts'
import type { Intent } from './payment.ts'
import type { Survey } from './plan.ts'
import type { Chain } from './reads.ts'

export type Terms = Pick<Intent, 'account' | 'chainId' | 'vault' | 'token'>

/**
 * The parts of the survey that can be missing, in the order in which the member is told. `permit`: which kind of
 * allowance the token supports.
 */
export const surveyParts = ['balance', 'allowance', 'permit', 'vault', 'fee', 'time'] as const
export type SurveyPart = (typeof surveyParts)[number]

const unanswered = { ok: false, error: { kind: 'no-node' } } as const

/**
 * Reads everything that a payment depends on. An error names the parts that could not be read. Answers within
 * `READ_PATIENCE_MS`.
 */
export async function surveyOf(chain: Chain, terms: Terms): Promise<Result<Survey, readonly SurveyPart[]>> {
  const { account, chainId, vault, token } = terms
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<typeof unanswered>((resolve) => {
    timer = setTimeout(resolve, READ_PATIENCE_MS, unanswered)
  })
  const inTime = <T>(answer: Promise<T>): Promise<T | typeof unanswered> => Promise.race([answer, timeout])
  try {
    const [balance, allowance, nonce, domain, paused, isContract, ether, time] = await Promise.all([
      inTime(chain.word(readBalance(token, account))),
      inTime(chain.word(readAllowance(terms))),
      inTime(chain.word(readPermitNonce(token, account))),
      inTime(chain.domain(readDomain(token))),
      inTime(chain.word(readPaused(vault))),
      inTime(chain.hasCode(account)),
      inTime(chain.ether(account)),
      inTime(chain.latestTime()),
    ])
    // A token without permits has no nonce: the call reverts.
    const hasNonce = nonce.ok || nonce.error.kind === 'reverted'
    if (
      !balance.ok ||
      !allowance.ok ||
      !hasNonce ||
      !domain.ok ||
      !isContract.ok ||
      !paused.ok ||
      !ether.ok ||
      !time.ok
    ) {
      const isRead: Readonly<Record<SurveyPart, boolean>> = {
        balance: balance.ok,
        allowance: allowance.ok,
        permit: hasNonce && domain.ok && isContract.ok,
        vault: paused.ok,
        fee: ether.ok,
        time: time.ok,
      }
      return refused(surveyParts.filter((part) => !isRead[part]))
    }
    const trial =
      allowance.value === 0n
        ? null
        : await inTime(chain.call(approveOf(terms, anotherAllowance(allowance.value)), account))
    if (trial && !trial.ok && trial.error.kind === 'no-node') return refused(['allowance'])
    const signable =
      domain.value?.chainId === chainId && domain.value.verifyingContract.toLowerCase() === token.toLowerCase()
    return ok({
      balance: balance.value,
      allowance: allowance.value,
      resetFirst: trial !== null && !trial.ok,
      permit:
        nonce.ok && domain.value !== null && signable && !isContract.value
          ? { nonce: nonce.value, domain: domain.value }
          : null,
      vaultPaused: paused.value !== 0n,
      ether: ether.value,
      chainTime: time.value,
    })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Some tokens (Tether) refuse to change a nonzero allowance into another nonzero one. A trial call finds out. Its
 * amount is neither zero nor the present allowance, and it is below the present one: an unlimited allowance has no
 * larger number, and some tokens store fewer than 256 bits and would refuse a larger amount for that reason.
 */
const anotherAllowance = (present: bigint): bigint => (present > 1n ? present - 1n : 2n)
