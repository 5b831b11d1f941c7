// Generated from the contracts by `pnpm --filter @lode/contracts run build`. Not to be edited.

export const returnBombWalletAbi = [
  {"type":"fallback","stateMutability":"nonpayable"},
  {"type":"function","name":"ANSWER_BYTES","inputs":[],"outputs":[{"name":"","type":"uint256"}],"stateMutability":"view"},
] as const

export const returnBombWalletBytecode =
  '0x6080604052348015600e575f5ffd5b50606f80601a5f395ff3fe6080604052348015600e575f5ffd5b50600436106026575f3560e01c8063bb7096ad146054575b7f1626ba7e000000000000000000000000000000000000000000000000000000005f81815262100000908190f35b605d6210000081565b60405190815260200160405180910390f3' as const
