// Generated from the contracts by `pnpm --filter @lode/contracts run build`. Not to be edited.
export * from './btnToken.ts'
export * from './poolVault.ts'
