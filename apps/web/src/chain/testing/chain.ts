import type { PoolChain } from '../connection.ts'

/** An example chain for tests that use no real one. */
export const exampleChain: PoolChain = {
  chainId: 31_337,
  name: 'Lode development chain',
  rpcUrl: 'http://127.0.0.1:8545',
  currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  explorerUrl: null,
  vault: '0x0000000000000000000000000000000000001001',
  tokens: {
    USDT: { address: '0x0000000000000000000000000000000000001002', decimals: 6 },
    BTN: { address: '0x0000000000000000000000000000000000001003', decimals: 18 },
    BTC: { address: '0x0000000000000000000000000000000000001004', decimals: 8 },
  },
  finalityMinutes: 15,
  walletConnect: null,
  contactUrl: null,
  btnSourceUrl: null,
}
