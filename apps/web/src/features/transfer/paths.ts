import type { Asset } from '@lode/kernel'

/** The one page, and what of it is shown: the form, the records, or one of them. */
export const FORM = '/setting/transfer'
export const RECORDS = `${FORM}?show=records`
export const formOf = (symbol: Asset): string => `${FORM}?symbol=${symbol}`
export const recordOf = (id: string): string => `${FORM}?id=${id}`
