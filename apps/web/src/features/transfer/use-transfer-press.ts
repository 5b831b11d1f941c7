import type { RefusalCode } from '@lode/wire'
import { useState } from 'react'
import { call, queryClient } from '../../shared/api/index.ts'
import { usePress } from '../../shared/command/index.ts'
import { useProtection } from '../protection/index.ts'
import { invalidateMoneyQueries } from './invalidate-money-queries.ts'
import { findBrokenLimit, formatUnits } from './limits.ts'
import { isSamePress, transferPresses } from './transfer-press.ts'
import { findLimits, type TransferPreview, useTransferTerms } from './use-transfer-form.ts'

type TermsChange = 'plan-changed' | 'output-address-changed'

type TransferPressOptions = {
  readonly preview: TransferPreview
  /** Called with a preview of the same amount under new terms, which the member must confirm again. */
  readonly onPreview: (preview: TransferPreview) => void
  /** The amount cannot be transferred. Goes back to the form, which shows the reason at its field. */
  readonly onObjection: (reason: RefusalCode) => void
  readonly onTransferCreated: (id: string) => void
}

/** The press that transfers: fund password, order, and the reaction to a refusal. One press has one key. */
export function useTransferPress({ preview, onPreview, onObjection, onTransferCreated }: TransferPressOptions) {
  const { query: profile } = useProtection()
  const fresh = useTransferTerms()
  const [password, setPassword] = useState('')
  const [changed, setChanged] = useState<TermsChange | null>(null)
  const { terms, limits, amount } = preview
  const pressTerms = {
    planVersion: terms.planVersion,
    address: terms.address,
    symbol: limits.symbol,
    amount: formatUnits(limits, amount),
  }

  const { command, press, isAnswerLost, isResumed } = usePress({
    presses: transferPresses,
    terms: { ...pressTerms, shownAt: terms.at },
    isSame: (kept) => isSamePress(kept, pressTerms),
    async send(key) {
      const answer = await call('transfer/order', { key, ...pressTerms, password }, { quiet: true })
      if (answer.ok) invalidateMoneyQueries()
      return answer
    },
    onMade: ({ id }) => onTransferCreated(id),
    onRefused,
  })

  async function onRefused(reason: RefusalCode): Promise<void> {
    switch (reason) {
      case 'plan-changed':
      case 'output-address-changed':
        return await previewNewTerms(reason)
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

  async function previewNewTerms(reason: TermsChange): Promise<void> {
    const { data } = await fresh.refetch()
    void queryClient.invalidateQueries({ queryKey: ['account/profile'] })
    const next = data && findLimits(data, limits.symbol, limits.decimals)
    if (!data || !next) return
    if (findBrokenLimit(next, amount)) return onObjection(reason)
    setChanged(reason)
    onPreview({ terms: data, limits: next, amount })
  }

  async function submit(): Promise<void> {
    setChanged(null)
    await press()
  }

  return { command, submit, password, setPassword, changed, isAnswerLost, isResumed }
}
