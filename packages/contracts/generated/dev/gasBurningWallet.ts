// Generated from the contracts by `pnpm --filter @lode/contracts run build`. Not to be edited.

export const gasBurningWalletAbi = [
  {"type":"fallback","stateMutability":"nonpayable"},
] as const

export const gasBurningWalletBytecode =
  '0x6080604052348015600e575f5ffd5b50603980601a5f395ff3fe6080604052348015600e575f5ffd5b505f5b604080516020810183905201604051602081830303815290604052805190602001209050601156' as const
