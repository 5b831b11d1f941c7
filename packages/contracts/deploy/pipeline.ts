import {
  type Account,
  type Address,
  createPublicClient,
  createWalletClient,
  getContractAddress,
  type Hex,
  http,
} from 'viem'

export type Pipeline = {
  /** Sends the creation of a contract and returns the address that it will have, without waiting. */
  deploy(what: string, creation: Hex): Promise<Address>
  call(what: string, to: Address, data: Hex): Promise<void>
  /** Waits until all transactions are mined, and throws if one reverted. Returns the block of the first. */
  settle(): Promise<bigint>
}

/**
 * The transactions of one account, sent one behind the other without a wait in between: on a chain with a block a second,
 * thirty of them take two seconds instead of thirty. Their gas is fixed, for it cannot be estimated before what they build
 * on is mined.
 */
export async function openPipeline(rpcUrl: string, account: Account): Promise<Pipeline> {
  const chain = createPublicClient({ transport: http(rpcUrl), pollingInterval: 100 })
  const wallet = createWalletClient({ account, transport: http(rpcUrl) })
  const sent: { what: string; hash: Hex }[] = []
  let nonce = await chain.getTransactionCount({ address: account.address, blockTag: 'pending' })

  async function send(what: string, transaction: { to?: Address; data: Hex; gas: bigint }): Promise<number> {
    const used = nonce++
    sent.push({ what, hash: await wallet.sendTransaction({ ...transaction, chain: null, nonce: used }) })
    return used
  }

  return {
    async deploy(what, data) {
      const used = await send(what, { data, gas: 6_000_000n })
      return getContractAddress({ from: account.address, nonce: BigInt(used) })
    },
    async call(what, to, data) {
      await send(what, { to, data, gas: 300_000n })
    },
    async settle() {
      const receipts = await Promise.all(sent.map(({ hash }) => chain.waitForTransactionReceipt({ hash })))
      const failed = sent.filter((_, position) => receipts[position]?.status !== 'success')
      if (failed.length > 0)
        throw new Error(`Reverted: ${failed.map(({ what, hash }) => `${what} (${hash})`).join(', ')}`)
      sent.length = 0
      // One account's transactions are mined in the order of their nonces.
      const [first] = receipts
      if (!first) throw new Error('Nothing was sent')
      return first.blockNumber
    },
  }
}
