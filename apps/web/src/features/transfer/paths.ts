import type { Asset } from '@lode/kernel'

/** The addresses of the page's parts: the form, the records, one transfer. */
export const FORM_PATH = '/setting/transfer'
export const RECORDS_PATH = `${FORM_PATH}?show=records`
export const formPath = (symbol: Asset): string => `${FORM_PATH}?symbol=${symbol}`
export const transferPath = (id: string): string => `${FORM_PATH}?id=${id}`
