import { type Asset, parseAmount, type Result } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import { useState } from 'react'
import { type Failure, queryClient, read, useChain } from '../../shared/api/index.ts'
import { usePress } from '../../shared/command/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { Press, Presses } from '../../shared/press/index.ts'
import { passwordProblem } from '../../shared/ui/index.ts'
import { useProtection } from '../protection/index.ts'
import type { PaidOrder } from './order.ts'
import { tellOfOrder } from './order-changed.ts'
import { useBalancePart } from './use-balance-part.ts'

/** How an order is to be paid. */
type Means = { readonly balancePart: string; readonly password?: string }

export type Ordering<Terms> = {
  /** The amount to pay and its label: a price, or a quantity. */
  price: { label: string; symbol: Asset; amount: string }
  available: string
  /** The initial part from the balance. */
  firstPart?: string
  presses: Presses<Terms & Pick<Means, 'balancePart'> & Press>
  terms: Terms
  isSame: (kept: Terms) => boolean
  send: (key: string, means: Means) => Promise<Result<PaidOrder, Failure>>
  /** Reacts to a refusal, usually by reading everything again. */
  onRefused: (reason: RefusalCode) => Promise<void>
  onMade: (id: string) => void
}

export type OrderForm = ReturnType<typeof useOrderForm>

/** The state of an order form: the part from the balance, the fund password that it needs, and the press. */
export function useOrderForm<Terms extends object>(ordering: Ordering<Terms>) {
  const { price, available, firstPart, presses, terms, isSame, send, onRefused, onMade } = ordering
  const t = useText()
  const { protection, query: profile } = useProtection()
  const { data: chain } = useChain()
  const [password, setPassword] = useState('')

  const { symbol } = price
  const decimals = chain?.tokens[symbol].decimals ?? 0
  const balance = useBalancePart({
    symbol,
    decimals,
    price: unitsOf(symbol, decimals, price.amount),
    available: unitsOf(symbol, decimals, available),
    ...(firstPart !== undefined && { first: firstPart }),
  })
  const balancePart = balance.canonical(balance.part ?? 0n)
  const hasPart = balance.part !== null && balance.part > 0n
  const fundPassword = protection?.fundPassword

  const pressing = usePress({
    presses,
    terms: { ...terms, balancePart },
    isSame: (kept) => kept.balancePart === balancePart && isSame(kept),
    async send(key) {
      const answer = await send(key, { balancePart, ...(hasPart && { password }) })
      if (answer.ok) {
        queryClient.setQueryData(read('order/detail', { id: answer.value.id }).queryKey, answer.value)
        tellOfOrder()
      }
      return answer
    },
    onMade: ({ id }) => onMade(id),
    async onRefused(reason) {
      switch (reason) {
        case 'fund-password-wrong':
        case 'fund-password-locked':
        case 'fund-password-unset':
          setPassword('')
          await profile.refetch()
          return
        default:
          await onRefused(reason)
      }
    },
  })

  return {
    ...pressing,
    balance,
    password,
    setPassword,
    /** True if a part is paid from the balance, which needs the fund password. */
    hasPart,
    hasNoPassword: hasPart && fundPassword?.chosen === false,
    isPasswordWritten: !hasPart || passwordProblem(t, password) === undefined,
    lockedUntil: hasPart ? (fundPassword?.lockedUntil ?? null) : null,
  }
}

function unitsOf(symbol: Asset, decimals: number, amount: string): bigint {
  const parsed = parseAmount(symbol, decimals, amount)
  if (!parsed.ok) throw new Error(`The pool says ${amount} ${symbol}: ${parsed.error}`)
  return parsed.value
}
