import { ok, type Result, refused } from '@lode/kernel'
import { READ_TIMEOUT_MS } from '../../shared/pool/index.ts'
import type { ChainReader } from './chain-reader.ts'
import { allowanceCall, approveAmountCall, balanceCall, domainCall, pausedCall, permitNonceCall } from './contracts.ts'
import type { Intent } from './payment.ts'
import type { Survey } from './wallet-requests.ts'

export type SurveyTerms = Pick<Intent, 'account' | 'chainId' | 'vault' | 'token'>

/**
 * The parts of the survey that can be missing, in the order in which the app names them to the member. `permit` is
 * whether token and account support permits.
 */
export const surveyParts = ['balance', 'allowance', 'permit', 'vault', 'fee', 'time'] as const
export type SurveyPart = (typeof surveyParts)[number]

const noAnswer = { ok: false, error: { kind: 'no-node' } } as const

/**
 * Reads everything that a payment depends on. An error names the parts that could not be read. Answers within
 * `READ_TIMEOUT_MS`.
 */
export async function readSurvey(
  chain: ChainReader,
  terms: SurveyTerms,
): Promise<Result<Survey, readonly SurveyPart[]>> {
  const { account, chainId, vault, token } = terms
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<typeof noAnswer>((resolve) => {
    timer = setTimeout(resolve, READ_TIMEOUT_MS, noAnswer)
  })
  const withTimeout = <T>(answer: Promise<T>): Promise<T | typeof noAnswer> => Promise.race([answer, timeout])
  try {
    const [balance, allowance, nonce, domain, paused, isContract, ether, time] = await Promise.all([
      withTimeout(chain.word(balanceCall(token, account))),
      withTimeout(chain.word(allowanceCall(terms))),
      withTimeout(chain.word(permitNonceCall(token, account))),
      withTimeout(chain.domain(domainCall(token))),
      withTimeout(chain.word(pausedCall(vault))),
      withTimeout(chain.hasCode(account)),
      withTimeout(chain.ether(account)),
      withTimeout(chain.latestTime()),
    ])
    // A token without permits has no nonces, so the call reverts. That is an answer too.
    const isNonceAnswered = nonce.ok || nonce.error.kind === 'reverted'
    if (
      !balance.ok ||
      !allowance.ok ||
      !isNonceAnswered ||
      !domain.ok ||
      !isContract.ok ||
      !paused.ok ||
      !ether.ok ||
      !time.ok
    ) {
      const isRead: Readonly<Record<SurveyPart, boolean>> = {
        balance: balance.ok,
        allowance: allowance.ok,
        permit: isNonceAnswered && domain.ok && isContract.ok,
        vault: paused.ok,
        fee: ether.ok,
        time: time.ok,
      }
      return refused(surveyParts.filter((part) => !isRead[part]))
    }
    const approveTrial =
      allowance.value === 0n
        ? null
        : await withTimeout(chain.call(approveAmountCall(terms, trialAllowance(allowance.value)), account))
    if (approveTrial && !approveTrial.ok && approveTrial.error.kind === 'no-node') return refused(['allowance'])
    const isDomainOfToken =
      domain.value?.chainId === chainId && domain.value.verifyingContract.toLowerCase() === token.toLowerCase()
    return ok({
      balance: balance.value,
      allowance: allowance.value,
      resetFirst: approveTrial !== null && !approveTrial.ok,
      permit:
        nonce.ok && domain.value !== null && isDomainOfToken && !isContract.value
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
 * The amount of a trial call. The call finds out whether the token refuses to change a nonzero allowance into another
 * nonzero one, as Tether does. The amount is neither zero nor the present allowance. It is below the present one where
 * possible: no number is larger than an unlimited allowance, and some tokens store fewer than 256 bits and would refuse
 * a larger amount for that reason.
 */
const trialAllowance = (present: bigint): bigint => (present > 1n ? present - 1n : 2n)
