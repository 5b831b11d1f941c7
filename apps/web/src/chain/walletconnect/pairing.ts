import { createStore } from 'zustand/vanilla'

/**
 * What the sheet shows while the app waits for a wallet on another device. `code`: the wallet scans or opens this
 * address. `unreachable`: the relay does not answer, or the library could not be loaded.
 */
export type Pairing =
  | { readonly at: 'closed' }
  | { readonly at: 'loading' }
  | { readonly at: 'code'; readonly uri: string }
  | { readonly at: 'unreachable' }

type Answers = { readonly onRetry: () => void; readonly onCancel: () => void }

export const pairing = createStore<Pairing & { readonly answers: Answers | null }>(() => ({
  at: 'closed',
  answers: null,
}))

/** Opens the sheet, or changes what the open sheet shows. */
export function showPairing(shown: Exclude<Pairing, { at: 'closed' }>, answers: Answers): void {
  pairing.setState({ ...shown, answers }, true)
}

export function closePairing(): void {
  pairing.setState({ at: 'closed', answers: null }, true)
}
