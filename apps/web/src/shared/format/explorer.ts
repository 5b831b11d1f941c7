/** Where a transaction or an address can be looked up, by the custom that all explorers of this kind of chain keep. */
export const explorerPage = (explorerUrl: string, kind: 'tx' | 'address', value: string): string =>
  `${explorerUrl.replace(/\/+$/, '')}/${kind}/${value}`
