import type { Asset } from '@lode/kernel'

/** The addresses of the page's parts: the form, the records, one transfer. */
export const FORM = '/setting/transfer'
export const RECORDS = `${FORM}?show=records`
export const formOf = (symbol: Asset): string => `${FORM}?symbol=${symbol}`
export const recordOf = (id: string): string => `${FORM}?id=${id}`
