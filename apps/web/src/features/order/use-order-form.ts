import { type Asset, parseAmount, type Result } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import { useState } from 'react'
import { type Failure, queryClient, read, useChain } from '../../shared/api/index.ts'
import { usePress } from '../../shared/command/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { Press, PressStore } from '../../shared/press/index.ts'
import { session } from '../../shared/session/index.ts'
import { passwordProblem } from '../../shared/ui/index.ts'
import { useProtection } from '../protection/index.ts'
import { invalidateOrderQueries } from './invalidate-order-queries.ts'
import type { PayableOrder } from './order.ts'
import { rememberPlacedOrder } from './placed-order.ts'
import { useBalancePart } from './use-balance-part.ts'
import { useOrderWallet } from './use-order-wallet.ts'

/** How an order is to be paid. */
type PaymentChoice = { readonly balancePart: string; readonly password?: string }

export type OrderFormOptions<Terms> = {
  /** The amount to pay and its label: a price, or a quantity. */
  price: { label: string; symbol: Asset; amount: string }
  available: string
  /** The initial part from the balance. Without it: that of an earlier press, or as much as possible. */
  initialBalancePart?: string | undefined
  presses: PressStore<Terms & Pick<PaymentChoice, 'balancePart'> & Press>
  terms: Terms
  /**
   * Whether a stored press has the same terms. If its part from the balance is the same too, the next press sends the
   * stored one again, under its key.
   */
  isSame: (stored: Terms) => boolean
  send: (key: string, payment: PaymentChoice) => Promise<Result<PayableOrder, Failure>>
  /** Called after a refusal that is not about the fund password. It usually reads all data again. */
  onRefused: (reason: RefusalCode) => Promise<void>
  onOrderCreated: (id: string) => void
}

export type OrderForm = ReturnType<typeof useOrderForm>

/** The state of an order form: the part from the balance, the fund password that it needs, the wallet, the press. */
export function useOrderForm<Terms extends object>(options: OrderFormOptions<Terms>) {
  const { price, available, initialBalancePart, presses, terms, isSame, send, onRefused, onOrderCreated } = options
  const t = useText()
  const { protection, query: profile } = useProtection()
  const { data: chain } = useChain()
  const [password, setPassword] = useState('')

  const { symbol } = price
  const decimals = chain?.tokens[symbol].decimals ?? 0
  const balance = useBalancePart({
    symbol,
    decimals,
    price: parseUnits(symbol, decimals, price.amount),
    available: parseUnits(symbol, decimals, available),
    first: initialBalancePart ?? presses.pendingOf(session.get().account ?? '').find(isSame)?.balancePart,
  })
  const wallet = useOrderWallet(symbol, balance.online)
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
        invalidateOrderQueries()
      }
      return answer
    },
    onMade({ id, state }, pressedAt) {
      onOrderCreated(id)
      if (state === 'paying') rememberPlacedOrder({ id, announced: wallet.requests, pressedAt })
    },
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
    wallet,
    password,
    setPassword,
    /** True if a part is paid from the balance, which needs the fund password. */
    hasPart,
    hasNoPassword: hasPart && fundPassword?.chosen === false,
    /** True if no fund password is needed, or if the typed one has a valid format. */
    isPasswordReady: !hasPart || passwordProblem(t, password) === undefined,
    lockedUntil: hasPart ? (fundPassword?.lockedUntil ?? null) : null,
  }
}

function parseUnits(symbol: Asset, decimals: number, amount: string): bigint {
  const parsed = parseAmount(symbol, decimals, amount)
  if (!parsed.ok) throw new Error(`The pool sent an invalid amount, ${amount} ${symbol}: ${parsed.error}`)
  return parsed.value
}
