import { hostileTokenAbi, hostileTokenBytecode } from '@lode/contracts/dev'
import { type Address, encodeFunctionData } from 'viem'
import type { TestPool } from './pool.ts'
import { waitForReceipt } from './wait-for-receipt.ts'

/** Replaces the code of the BTN token by one that can misbehave on request. All balances stay. */
export async function makeBtnHostile(pool: TestPool): Promise<void> {
  const account = pool.accountOf('administrator')
  const hash = await pool.node.sendTransaction({ account, data: hostileTokenBytecode, chain: null })
  const { contractAddress } = await waitForReceipt(pool.client, hash)
  const code = contractAddress && (await pool.client.getCode({ address: contractAddress }))
  if (!code) throw new Error('no token was deployed')
  await pool.node.setCode({ address: pool.contracts.btn, bytecode: code })
}

/** From now on the token refuses transfers to this address; with null it behaves. */
export async function setBtnRefusal(pool: TestPool, target: Address | null): Promise<void> {
  const account = pool.accountOf('administrator')
  const args = target ? ([3, target] as const) : ([0, account.address] as const)
  const data = encodeFunctionData({ abi: hostileTokenAbi, functionName: 'behave', args })
  await pool.mined(pool.send(account, pool.contracts.btn, data))
}
