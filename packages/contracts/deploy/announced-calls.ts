import { type Address, encodeFunctionData, getAddress, type Hex, keccak256, pad, stringToHex, zeroHash } from 'viem'
import { poolVaultAbi } from '../generated/index.ts'

type PoolTokens = { readonly usdt: Address; readonly btn: Address; readonly btc: Address }

/** The address in the examples of announced calls. */
export const exampleAddress = getAddress(pad('0xe1e1', { size: 20 }))
/** The Bitcoin transaction in the example of evidence. */
export const exampleTxid = keccak256(stringToHex('a transaction'))

/** For tests: the call data of one announcement of each kind, and of one that has no effect. */
export function announcedCalls({ usdt, btn, btc }: PoolTokens) {
  const roleHash = (name: string): Hex => keccak256(stringToHex(name))
  const grant = (role: Hex): Hex =>
    encodeFunctionData({ abi: poolVaultAbi, functionName: 'grantRole', args: [role, exampleAddress] })
  return {
    setColdStorage: encodeFunctionData({ abi: poolVaultAbi, functionName: 'setColdStorage', args: [exampleAddress] }),
    moveToCold: encodeFunctionData({
      abi: poolVaultAbi,
      functionName: 'moveToCold',
      args: [usdt, 1_234_500_000n, exampleAddress],
    }),
    moveTo: encodeFunctionData({ abi: poolVaultAbi, functionName: 'moveTo', args: [exampleAddress, btn] }),
    rescue: encodeFunctionData({
      abi: poolVaultAbi,
      functionName: 'rescue',
      args: [exampleAddress, exampleAddress, 77n],
    }),
    setPayoutCap: encodeFunctionData({ abi: poolVaultAbi, functionName: 'setPayoutCap', args: [btc, 2_150_000_000n] }),
    setBurnCap: encodeFunctionData({ abi: poolVaultAbi, functionName: 'setBurnCap', args: [6_000_000n * 10n ** 18n] }),
    setPayoutGas: encodeFunctionData({ abi: poolVaultAbi, functionName: 'setPayoutGas', args: [200_000] }),
    grantAdministrator: grant(zeroHash),
    grantGuardian: grant(roleHash('GUARDIAN')),
    grantPayer: grant(roleHash('PAYER')),
    grantFunder: grant(roleHash('FUNDER')),
    revokeGuardian: encodeFunctionData({
      abi: poolVaultAbi,
      functionName: 'revokeRole',
      args: [roleHash('GUARDIAN'), exampleAddress],
    }),
    reinstateEvidence: encodeFunctionData({
      abi: poolVaultAbi,
      functionName: 'reinstateEvidence',
      args: [exampleTxid, 3],
    }),
    other: '0x0badcafe',
  } as const satisfies Record<string, Hex>
}
