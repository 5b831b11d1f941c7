import type { Asset } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { read } from '../../shared/api/index.ts'
import { formatAmount, formatWholeAmount, parseEnteredAmount, wrongAmountText } from '../../shared/format/index.ts'
import { type TextFunction, useText } from '../../shared/i18n/index.ts'
import { usePoolChain, useTimelyRead } from '../../shared/pool/index.ts'
import {
  type BrokenLimit,
  findBrokenLimit,
  findMaxAmount,
  formatUnits,
  isTooLittle,
  parseLimits,
  type TransferLimits,
  type TransferTerms,
} from './limits.ts'
import type { TransferPress } from './transfer-press.ts'

const REFRESH_MS = 30_000

/** Refreshed while it is shown, because other actions change balance and quota. */
export const useTransferTerms = () =>
  useQuery({ ...read('transfer/terms', {}), meta: { quiet: true }, staleTime: 0, refetchInterval: REFRESH_MS })

/**
 * The transfer that the member is about to confirm: an amount, and the terms it was checked against. It does not change
 * while it is shown.
 */
export type TransferPreview = {
  readonly terms: TransferTerms
  readonly limits: TransferLimits
  readonly amount: bigint
}

export type TransferForm = ReturnType<typeof useTransferForm>

/** The input of the form, and its messages. */
export function useTransferForm(initialSymbol: Asset) {
  const t = useText()
  /** Without the chain's data the amount cannot be parsed. */
  const pool = usePoolChain()
  const { chain } = pool
  const query = useTransferTerms()
  const { isLate, readAgain } = useTimelyRead('transfer/terms', query)
  const [symbol, setSymbol] = useState(initialSymbol)
  const [text, setText] = useState('')
  const [pressed, setPressed] = useState(false)
  /** The reason for which the pool refused this amount, although the app's own checks passed. */
  const [objection, setObjection] = useState<RefusalCode | null>(null)
  const input = useRef<HTMLInputElement>(null)

  const decimals = chain?.tokens[symbol].decimals
  const limits = query.data && findLimits(query.data, symbol, decimals)
  const entered = decimals === undefined ? null : parseEnteredAmount(symbol, decimals, text)
  const amount = entered?.ok ? entered.value : null
  const brokenLimit = limits && amount !== null ? findBrokenLimit(limits, amount) : null
  const error: string | undefined =
    entered && !entered.ok
      ? pressed || text !== ''
        ? wrongAmountText(t, entered.error, symbol, decimals ?? 0)
        : undefined
      : limits && brokenLimit
        ? isTooLittle(limits)
          ? tooLittleText(t, limits)
          : brokenLimitText(t, limits, brokenLimit)
        : objection !== null
          ? t(`refusals.${objection}`)
          : undefined

  function write(next: string): void {
    setText(next)
    setPressed(false)
    setObjection(null)
  }

  return {
    query: {
      data: query.data,
      error: query.error,
      isPaused: query.isPaused,
      isFetching: query.isFetching,
      refetch: () => Promise.all([readAgain(), pool.readAgain()]),
    },
    /** The answer with the pool's terms takes longer than it should. */
    isLate,
    pool,
    chain,
    terms: query.data,
    limits: limits ?? undefined,
    symbol,
    choose(next: Asset) {
      setSymbol(next)
      write('')
    },
    text,
    write,
    writeMax() {
      if (limits) write(formatUnits(limits, findMaxAmount(limits)))
    },
    amount: error === undefined ? amount : null,
    error,
    showObjection: setObjection,
    input,
    /** The preview of an earlier press. Null if the current terms do not allow it. */
    buildPreviewAgain({
      symbol: again,
      amount: written,
    }: Pick<TransferPress, 'symbol' | 'amount'>): TransferPreview | null {
      setSymbol(again)
      write(written)
      const places = chain?.tokens[again].decimals
      const bounds = query.data && findLimits(query.data, again, places)
      const value = places === undefined ? null : parseEnteredAmount(again, places, written)
      if (!query.data || !bounds || !value?.ok || findBrokenLimit(bounds, value.value)) return null
      return { terms: query.data, limits: bounds, amount: value.value }
    },
    /** The preview to confirm. Null if the input is wrong; the field then shows why. */
    buildPreview(): TransferPreview | null {
      setPressed(true)
      if (query.data && limits && amount !== null && brokenLimit === null) return { terms: query.data, limits, amount }
      input.current?.focus()
      return null
    },
  }
}

export function findLimits(
  terms: TransferTerms,
  symbol: Asset,
  decimals: number | undefined,
): TransferLimits | undefined {
  const found = terms.symbols.find((one) => one.symbol === symbol)
  return found && decimals !== undefined ? parseLimits(found, decimals) : undefined
}

/** All decimals, without trailing zeros. */
export const NO_TRAILING_ZEROS = { least: 0, most: 36 }

export const formatFigure = (limits: TransferLimits, value: bigint): string =>
  formatAmount(formatUnits(limits, value), NO_TRAILING_ZEROS)

export const formatWithSymbol = (limits: TransferLimits, value: bigint): string =>
  formatWholeAmount(formatUnits(limits, value), limits.symbol)

/** As many characters as fit on a line of a narrow phone. A number that breaks over two lines is misread. */
const MAX_AMOUNT_CHARACTERS = 24

/** The button's label, with the amount if it fits. */
export const submitText = (t: TextFunction, amount: string): string =>
  amount.length > MAX_AMOUNT_CHARACTERS ? t('transfer.submitEmpty') : t('transfer.submit', { amount })

export const confirmTitle = (t: TextFunction, amount: string): string =>
  amount.length > MAX_AMOUNT_CHARACTERS ? t('transfer.confirm.titleLong') : t('transfer.confirm.title', { amount })

export function tooLittleText(t: TextFunction, limits: TransferLimits): string {
  const { available, min, fee } = limits
  return t('transfer.tooLittle', {
    available: formatWithSymbol(limits, available),
    min: formatWithSymbol(limits, min),
    fee: formatWithSymbol(limits, fee),
  })
}

function brokenLimitText(t: TextFunction, limits: TransferLimits, wrong: BrokenLimit): string {
  switch (wrong) {
    case 'range':
      return t('transfer.range', { min: formatFigure(limits, limits.min), max: formatFigure(limits, limits.max) })
    case 'balance':
      return t('transfer.overBalance', {
        refused: t('refusals.balance-insufficient'),
        most: formatWithSymbol(limits, limits.available - limits.fee),
        available: formatWithSymbol(limits, limits.available),
        fee: formatWithSymbol(limits, limits.fee),
      })
    case 'quota':
      return t('refusals.quota-insufficient')
  }
}
