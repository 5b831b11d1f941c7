/** The page of a transaction or an address, in the URL form that all block explorers of EVM chains share. */
export const explorerPage = (explorerUrl: string, kind: 'tx' | 'address', value: string): string =>
  `${explorerUrl.replace(/\/+$/, '')}/${kind}/${value}`
