import { ok, type Result, refused } from '@lode/kernel'
import { approveOf, readAllowance, readBalance, readDomain, readPaused, readPermitNonce } from './contracts.ts'
import type { Intent } from './payment.ts'
import type { Survey } from './plan.ts'
import type { Chain } from './reads.ts'

export type Terms = Pick<Intent, 'account' | 'chainId' | 'vault' | 'token'>

export async function surveyOf(chain: Chain, terms: Terms): Promise<Result<Survey, 'no-node'>> {
  const { account, chainId, vault, token } = terms
  const [balance, allowance, nonce, domain, paused, isContract, ether, time] = await Promise.all([
    chain.word(readBalance(token, account)),
    chain.word(readAllowance(terms)),
    chain.word(readPermitNonce(token, account)),
    chain.domain(readDomain(token)),
    chain.word(readPaused(vault)),
    chain.hasCode(account),
    chain.ether(account),
    chain.latestTime(),
  ])
  if (!balance.ok || !allowance.ok || !paused.ok || !ether.ok || !time.ok || !isContract.ok || !domain.ok)
    return refused('no-node')
  if (!nonce.ok && nonce.error.kind === 'no-node') return refused('no-node')
  const trial = allowance.value === 0n ? null : await chain.call(approveOf(terms, another(allowance.value)), account)
  if (trial && !trial.ok && trial.error.kind === 'no-node') return refused('no-node')
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
}

/** Another allowance than this one. It is the lesser: nothing is above an unlimited one. */
const another = (allowance: bigint): bigint => (allowance > 1n ? allowance - 1n : 2n)
