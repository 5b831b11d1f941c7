import {
  contractWalletAbi,
  contractWalletBytecode,
  contractWalletFactoryAbi,
  contractWalletFactoryBytecode,
} from '@lode/contracts/dev'
import {
  type Address,
  createClient,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  serializeErc6492Signature,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { readContract, sendTransaction } from 'viem/actions'
import { testStack } from './stack.ts'
import { waitForReceipt } from './wait-for-receipt.ts'

export type TestWallet = { readonly account: Address; sign(message: string): Promise<Hex> }

/** An account for which the development node itself signs. */
const DEPLOYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** A wallet with a new key, so that tests do not share members. */
export function createTestWallet(): TestWallet {
  const owner = privateKeyToAccount(generatePrivateKey())
  return { account: owner.address, sign: (message) => owner.signMessage({ message }) }
}

/** A contract wallet: its signature is what the contract accepts, here that of an outside key. */
export async function deployContractWallet(): Promise<TestWallet> {
  const owner = createTestWallet()
  const data = encodeDeployData({ abi: contractWalletAbi, bytecode: contractWalletBytecode, args: [owner.account] })
  return { account: await deploy(data), sign: owner.sign }
}

/** A contract wallet that is not on the chain yet. `deploy` creates it at its precomputed address. */
export async function createUndeployedWallet(): Promise<TestWallet & { deploy(): Promise<void> }> {
  const owner = createTestWallet()
  const salt = toHex(1n, { size: 32 })
  const factory = await deploy(contractWalletFactoryBytecode)
  const abi = contractWalletFactoryAbi
  const args = [owner.account, salt] as const
  const account = await readContract(nodeClient(), { address: factory, abi, functionName: 'predict', args })
  const data = encodeFunctionData({ abi, functionName: 'deploy', args })
  return {
    account,
    sign: async (message) =>
      serializeErc6492Signature({ address: factory, data, signature: await owner.sign(message) }),
    deploy: async () => {
      await send({ to: factory, data })
    },
  }
}

/** Deploys a contract from its creation data. */
export async function deploy(data: Hex): Promise<Address> {
  const { contractAddress } = await send({ data })
  if (!contractAddress) throw new Error('nothing was deployed')
  return getAddress(contractAddress)
}

const nodeClient = () => createClient({ transport: http(testStack().rpcUrl), pollingInterval: 20 })

async function send(transaction: { to?: Address; data: Hex }) {
  const client = nodeClient()
  const hash = await sendTransaction(client, { ...transaction, account: DEPLOYER, chain: null })
  const receipt = await waitForReceipt(client, hash)
  if (receipt.status !== 'success') throw new Error('the transaction reverted')
  return receipt
}
