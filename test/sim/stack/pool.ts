import { btnTokenAbi, poolVaultAbi, poolVaultBytecode } from '@lode/contracts'
import { batchWalletAbi, batchWalletBytecode, hostileTokenAbi, hostileTokenBytecode } from '@lode/contracts/dev'
import { type DevelopmentContracts, deployDevelopment, developmentKeys } from '@lode/contracts/dev/deploy'
import { type Anvil, startAnvil } from '@lode/scripts/anvil'
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  maxUint256,
  parseUnits,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Actor } from '../members/actor.ts'
import { BLOCKS_TO_FINALITY, Chain, SLOTS_IN_AN_EPOCH } from './chain.ts'

const keys = developmentKeys()
/** The funder of dividends and reserves. */
export const funder = privateKeyToAccount(keys.funder)
/** Signs quotes like the api. In the simulator this key is also stolen. */
export const quoteSigner = privateKeyToAccount(keys.quoteSigner)
/** Moves money to cold storage. */
export const administrator = privateKeyToAccount(keys.administrator)
/** The signer's account. */
export const payer = privateKeyToAccount(keys.payer)
/** Pauses and unpauses the vault. */
export const guardian = privateKeyToAccount(keys.guardian)
/** Holds the money in cold storage and brings it back. */
export const coldStorage = privateKeyToAccount(keys.coldStorage)

/** The pool on its chain, and contracts that only look like the pool's. */
export type Pool = {
  readonly node: Anvil
  readonly chain: Chain
  /** A token with the same name that is not the pool's. */
  readonly fakeToken: Address
  /** A vault of another owner, like the pool's and for the same tokens. */
  readonly foreignVault: Address
}

/** The funder's BTN for reserves. */
const BTN_FOR_RESERVES = parseUnits('200000', 18)

/** Announced at the start, so that the two days are over. Only announced amounts can go to cold storage. */
export const announcedMoves = (contracts: DevelopmentContracts): { token: Address; amount: bigint }[] => [
  { token: contracts.usdt, amount: parseUnits('7', 6) },
  { token: contracts.btn, amount: parseUnits('1234', 18) },
  { token: contracts.btn, amount: parseUnits('4321', 18) },
  { token: contracts.btc, amount: parseUnits('0.01', 8) },
]

/** The duration of an announcement in seconds, and a little more. */
export const NOTICE_SECONDS = 2 * 86_400 + 3_600

const DAY_SECONDS = 86_400
const MORNING = 9 * 3_600

/**
 * How far the clocks are ahead from the start, in seconds: past the announcement and to the next morning. So midnight
 * and the plan's hours are equally far away whenever a seed is run.
 */
export const INITIAL_CLOCK_SHIFT =
  NOTICE_SECONDS +
  ((MORNING - ((Math.floor(Date.now() / 1_000) + NOTICE_SECONDS) % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS)

/** Makes a chain on which every actor has money and an allowance for the vault, and everything is final. */
export async function makePool(actors: readonly Actor[]): Promise<Pool> {
  const node = await startAnvil({ slotsInAnEpoch: SLOTS_IN_AN_EPOCH })
  try {
    const contractOwners = actors.filter(({ kind }) => kind === 'contract').map(({ key }) => key.address)
    const members = [...actors.map(({ account }) => account), ...contractOwners]
    const contracts = await deployDevelopment({ rpcUrl: node.rpcUrl, members })
    const chain = new Chain(node.rpcUrl, contracts)
    chain.insistFor(guardian.address)
    const deploy = async (data: Hex): Promise<Address> => {
      const nonce = await chain.client.getTransactionCount({ address: administrator.address })
      await chain.send(administrator, { data, gas: 6_000_000n })
      return getContractAddress({ from: administrator.address, nonce: BigInt(nonce) })
    }
    const fakeToken = await deploy(hostileTokenBytecode)
    const foreignVault = await deploy(foreignVaultBytecode(contracts))
    for (const actor of actors) await prepare(chain, actor, [contracts.vault, foreignVault], fakeToken)
    await fillFunder(chain, actors, foreignVault)
    for (const actor of actors) await depositFirst(chain, actor)
    for (const { token, amount } of announcedMoves(contracts)) {
      const announced = encodeFunctionData({
        abi: poolVaultAbi,
        functionName: 'moveToCold',
        args: [token, amount, coldStorage.address],
      })
      const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'announce', args: [announced] })
      await chain.send(administrator, { to: contracts.vault, data })
    }
    await chain.request('evm_setAutomine', [false])
    await chain.request('evm_increaseTime', [INITIAL_CLOCK_SHIFT])
    await chain.mine(BLOCKS_TO_FINALITY + 1)
    return { node, chain, fakeToken, foreignVault }
  } catch (error) {
    await node.stop('SIGKILL')
    throw error
  }
}

async function prepare(chain: Chain, actor: Actor, vaults: readonly Address[], fakeToken: Address): Promise<void> {
  const { usdt, btn, btc } = chain.contracts
  const approvals = vaults.flatMap((vault) => [usdt, btn, btc].map((target) => ({ target, data: approval(vault) })))
  const args = [actor.account, parseUnits('1000000', 18)] as const
  const mint = { target: fakeToken, data: encodeFunctionData({ abi: hostileTokenAbi, functionName: 'mint', args }) }
  if (actor.kind === 'plain') {
    for (const { target, data } of [...approvals, mint]) await chain.send(actor.key, { to: target, data })
    return
  }
  const creation = encodeDeployData({ abi: batchWalletAbi, bytecode: batchWalletBytecode, args: [actor.key.address] })
  await chain.send(actor.key, { data: creation, gas: 3_000_000n })
  const batch = [[...approvals, mint]] as const
  const data = encodeFunctionData({ abi: batchWalletAbi, functionName: 'executeBatch', args: batch })
  await chain.send(actor.key, { to: actor.account, data })
}

/** Every actor has a deposit from before its registration, and so a balance from then on. */
async function depositFirst(chain: Chain, { kind, account, key }: Actor): Promise<void> {
  const { usdt, btn, btc, vault } = chain.contracts
  const calls: { target: Address; data: Hex }[] = []
  for (const [token, amount] of [
    [usdt, parseUnits('403', 6)],
    [btn, parseUnits('30003', 18)],
    [btc, parseUnits('0.04', 8)],
  ] as const) {
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'deposit', args: [token, amount] })
    calls.push({ target: vault, data })
  }
  if (kind === 'plain') {
    for (const { target, data } of calls) await chain.send(key, { to: target, data })
    return
  }
  const data = encodeFunctionData({ abi: batchWalletAbi, functionName: 'executeBatch', args: [calls] })
  await chain.send(key, { to: account, data })
}

async function fillFunder(chain: Chain, actors: readonly Actor[], foreignVault: Address): Promise<void> {
  const { btn, btc, vault } = chain.contracts
  const [giver] = actors
  if (!giver) throw new Error('nobody is there to give the funder anything')
  const args = [funder.address, BTN_FOR_RESERVES] as const
  const data = encodeFunctionData({ abi: btnTokenAbi, functionName: 'transfer', args })
  await chain.send(giver.key, { to: btn, data })
  for (const token of [btn, btc])
    for (const spender of [vault, foreignVault]) await chain.send(funder, { to: token, data: approval(spender) })
}

function foreignVaultBytecode({ usdt, btn, btc }: DevelopmentContracts): Hex {
  const stranger = administrator.address
  const setup = {
    predecessor: zeroAddress,
    usdt,
    btn,
    btc,
    administrator: stranger,
    guardian: stranger,
    secondGuardian: guardian.address,
    payer: stranger,
    funder: funder.address,
    quoteSigner: stranger,
    coldStorage: stranger,
    usdtPayoutCap: 1n,
    btnPayoutCap: 1n,
    btcPayoutCap: 1n,
    burnCap: 1n,
  }
  return encodeDeployData({ abi: poolVaultAbi, bytecode: poolVaultBytecode, args: [setup] })
}

export const approval = (spender: Address): Hex =>
  encodeFunctionData({ abi: btnTokenAbi, functionName: 'approve', args: [spender, maxUint256] })
