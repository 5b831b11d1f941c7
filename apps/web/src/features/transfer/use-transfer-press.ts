import type { RefusalCode } from '@lode/wire'
import { useState } from 'react'
import { call, queryClient } from '../../shared/api/index.ts'
import { usePress } from '../../shared/command/index.ts'
import { useProtection } from '../protection/index.ts'
import { intents, isSamePress } from './intent.ts'
import { canonical, judgeAmount } from './limits.ts'
import { tellOfMoney } from './money-moved.ts'
import { limitsIn, type Proposal, useTerms } from './use-transfer-form.ts'

type TermsChange = 'plan-changed' | 'output-address-changed'

type Pressing = {
  readonly proposal: Proposal
  /** Called with the same amount under the current terms, to be confirmed again. */
  readonly onPropose: (proposal: Proposal) => void
  /** The amount cannot be transferred. Goes back to the form, which shows the reason at its field. */
  readonly onObjection: (reason: RefusalCode) => void
  readonly onMade: (id: string) => void
}

/** The press that transfers: fund password, order, and the reaction to a refusal. One press has one key. */
export function useTransferPress({ proposal, onPropose, onObjection, onMade }: Pressing) {
  const { query: profile } = useProtection()
  const fresh = useTerms()
  const [password, setPassword] = useState('')
  const [changed, setChanged] = useState<TermsChange | null>(null)
  const { terms, limits, amount } = proposal
  const pressTerms = {
    planVersion: terms.planVersion,
    address: terms.address,
    symbol: limits.symbol,
    amount: canonical(limits, amount),
  }

  const { command, press, isUnheard, isResumed } = usePress({
    presses: intents,
    terms: { ...pressTerms, shownAt: terms.at },
    isSame: (kept) => isSamePress(kept, pressTerms),
    async send(key) {
      const answer = await call('transfer/order', { key, ...pressTerms, password }, { quiet: true })
      if (answer.ok) tellOfMoney()
      return answer
    },
    onMade: ({ id }) => onMade(id),
    onRefused,
  })

  async function onRefused(reason: RefusalCode): Promise<void> {
    switch (reason) {
      case 'plan-changed':
      case 'output-address-changed':
        return await lookAgain(reason)
      case 'amount-range':
      case 'balance-insufficient':
      case 'quota-insufficient':
        await fresh.refetch()
        return onObjection(reason)
      case 'fund-password-wrong':
      case 'fund-password-locked':
      case 'fund-password-unset':
        setPassword('')
        await profile.refetch()
        return
      default:
        return
    }
  }

  async function lookAgain(reason: TermsChange): Promise<void> {
    const { data } = await fresh.refetch()
    void queryClient.invalidateQueries({ queryKey: ['account/profile'] })
    const next = data && limitsIn(data, limits.symbol, limits.decimals)
    if (!data || !next) return
    if (judgeAmount(next, amount)) return onObjection(reason)
    setChanged(reason)
    onPropose({ terms: data, limits: next, amount })
  }

  async function submit(): Promise<void> {
    setChanged(null)
    await press()
  }

  return { command, submit, password, setPassword, changed, isUnheard, isResumed }
}
