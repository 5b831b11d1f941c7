import { type Address, encodeFunctionData, parseAbi } from 'viem'
import type { Chain } from '../stack/chain.ts'
import { ASSET_CODES, type AssetName, assetOf, type Books, KIND, kindOf } from './books.ts'

const balanceAbi = parseAbi(['function balanceOf(address) view returns (uint256)'])

/**
 * The ledger's custody equals what the pool's vaults and cold storage hold on the chain at the posted block. What the
 * pool owes is not more.
 */
export async function* custodyFindings(
  books: Books,
  { client, contracts, vaults }: Pick<Chain, 'client' | 'contracts' | 'vaults'>,
  cold: Address,
): AsyncGenerator<string> {
  if (!books.posted) return
  const blockNumber = books.posted.number
  const { hash } = await client.getBlock({ blockNumber })
  if (hash !== books.posted.hash)
    yield `the posted block ${blockNumber} is ${books.posted.hash}, the chain's is ${hash}`
  const tokens: Record<AssetName, Address> = { USDT: contracts.usdt, BTN: contracts.btn, BTC: contracts.btc }
  for (const [asset, token] of Object.entries(tokens) as [AssetName, Address][]) {
    const onChain = async (holder: Address): Promise<bigint> => {
      const data = encodeFunctionData({ abi: balanceAbi, functionName: 'balanceOf', args: [holder] })
      // Before the token was deployed, nobody held any.
      return BigInt((await client.call({ to: token, data, blockNumber })).data ?? 0n)
    }
    const [coldHolds, ...held] = await Promise.all([onChain(cold), ...vaults.map(onChain)])
    const vaultHolds = held.reduce((total, each) => total + each, 0n)
    const sum = (include: (kind: number) => boolean): bigint =>
      Array.from(books.accounts)
        .filter(([account]) => assetOf(account) === ASSET_CODES[asset] && include(kindOf(account)))
        .reduce((total, [, { balance }]) => total + balance, 0n)
    const vault = -sum((kind) => kind === KIND.vault)
    const coldInBooks = -sum((kind) => kind === KIND.cold)
    const owed = sum((kind) => kind !== KIND.vault && kind !== KIND.cold)
    if (vault !== vaultHolds)
      yield `at the posted block ${blockNumber} the vault holds ${vaultHolds} ${asset}, the books say ${vault}`
    if (coldInBooks !== coldHolds)
      yield `at the posted block ${blockNumber} cold storage holds ${coldHolds} ${asset}, the books say ${coldInBooks}`
    if (owed > vaultHolds + coldHolds) yield `${owed} ${asset} are owed and ${vaultHolds + coldHolds} are held`
  }
}
