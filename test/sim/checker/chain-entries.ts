import { poolVaultAbi } from '@lode/contracts'
import { reserveKinds } from '@lode/contracts/terms'
import { type Address, type Hex, type Log, parseAbi, parseEventLogs, zeroAddress } from 'viem'
import type { Chain } from '../stack/chain.ts'
import type { AssetName } from './books.ts'

const transferAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])

/** One movement of the pool's money on the chain. The ledger must contain it exactly once. */
export type Entry = {
  /** `<transaction>:<log index>` of the vault's event, or of the Transfer event if there is no vault event. */
  readonly log: string
  readonly block: bigint
  readonly asset: AssetName
  readonly amount: bigint
  readonly what:
    | { readonly kind: 'deposit'; readonly from: string; readonly into: 'vault' | 'cold' }
    /** Paid with a quote. `order` is the order id in it, or null if it does not have the form of the pool's ids. */
    | { readonly kind: 'payment'; readonly from: string; readonly order: string | null }
    /** Funding for a day, with the Bitcoin output that it names as its source. */
    | { readonly kind: 'dividend'; readonly day: number; readonly evidence: string }
    | { readonly kind: 'reserve'; readonly reserve: (typeof reserveKinds)[number] }
    | { readonly kind: 'to-cold' }
    | { readonly kind: 'from-cold' }
    | { readonly kind: 'payout'; readonly id: string; readonly to: string }
    | { readonly kind: 'burn' }
    /** Money that left without a payout. Of a move to cold storage, `arrived` is what came there. */
    | { readonly kind: 'loss'; readonly place: 'vault' | 'cold'; readonly arrived: bigint }
}

type Transfer = {
  readonly index: number
  readonly from: string
  readonly to: string
  readonly asset: AssetName
  readonly amount: bigint
}
type VaultEvent = {
  readonly index: number
  readonly asset: AssetName
  readonly amount: bigint
  readonly from: string
  readonly to: string
  /** Null for a move to the next vault, which posts nothing. */
  readonly what: Entry['what'] | null
}

/**
 * Reads the chain independently of the server. Within a transaction, each event of a vault takes the nearest earlier
 * Transfer from or to that vault that fits and is not taken. Transfers that are left over are plain transfers.
 */
export class ChainEntries {
  readonly #chain: Pick<Chain, 'client' | 'contracts' | 'vaults'>
  readonly #cold: string
  readonly #thefts: ReadonlySet<Hex>
  #final: Entry[] = []
  #finalRead: bigint
  /** The number of vaults whose logs are in `#final`. */
  #vaultsRead = 0

  constructor(
    chain: Pick<Chain, 'client' | 'contracts' | 'vaults'>,
    cold: Address,
    /** The transactions by which the simulator itself let money leave. */
    thefts: ReadonlySet<Hex>,
  ) {
    this.#thefts = thefts
    this.#chain = chain
    this.#cold = cold.toLowerCase()
    this.#finalRead = chain.contracts.firstBlock - 1n
  }

  /** Final blocks never change, so they are read once, and again when the pool has another vault. */
  async final(upTo: bigint): Promise<readonly Entry[]> {
    const { contracts, vaults } = this.#chain
    if (vaults.length > this.#vaultsRead) {
      this.#vaultsRead = vaults.length
      this.#final = []
      this.#finalRead = contracts.firstBlock - 1n
    }
    this.#final.push(...(await this.between(this.#finalRead + 1n, upTo)))
    if (upTo > this.#finalRead) this.#finalRead = upTo
    return this.#final
  }

  async between(fromBlock: bigint, toBlock: bigint): Promise<Entry[]> {
    if (fromBlock > toBlock) return []
    const { client, contracts, vaults } = this.#chain
    const { usdt, btn, btc } = contracts
    const logs = await client.getLogs({ address: [usdt, btn, btc, ...vaults], fromBlock, toBlock })
    const byTransaction = Map.groupBy(logs, ({ transactionHash }) => transactionHash)
    return Array.from(byTransaction.values()).flatMap((own) => this.#interpret(own))
  }

  #interpret(logs: readonly Log<bigint, number, false>[]): Entry[] {
    const [first] = logs
    if (!first) return []
    const entries: Entry[] = []
    const { transactionHash: tx, blockNumber: block } = first
    if (this.#thefts.has(tx)) return this.#losses(logs)
    const add = (index: number, { asset, amount }: Pick<Transfer, 'asset' | 'amount'>, what: Entry['what']) =>
      entries.push({ log: `${tx}:${index}`, block, asset, amount, what })
    const isVault = (address: string) => this.#isVault(address)
    const transfers = this.#transfers(logs)
    const unpaired = transfers.filter(
      ({ to, from, amount }) => (isVault(to) || isVault(from)) && from !== to && amount > 0n,
    )
    for (const transfer of transfers)
      if (transfer.to === this.#cold && !isVault(transfer.from) && transfer.from !== this.#cold && transfer.amount > 0n)
        add(transfer.index, transfer, { kind: 'deposit', from: transfer.from, into: 'cold' })
    for (const event of this.#vaultEvents(logs)) {
      const fits = unpaired.findLastIndex(
        ({ index, from, to, asset, amount }) =>
          index < event.index &&
          from === event.from &&
          to === event.to &&
          asset === event.asset &&
          amount === event.amount,
      )
      if (fits < 0) throw new Error(`the event ${tx}:${event.index} has no Transfer: the vault is not what it was`)
      unpaired.splice(fits, 1)
      if (event.what) add(event.index, event, event.what)
    }
    for (const transfer of unpaired) {
      if (isVault(transfer.from))
        throw new Error(`${transfer.amount} ${transfer.asset} left the vault by ${tx}, unexplained`)
      add(
        transfer.index,
        transfer,
        transfer.from === this.#cold ? { kind: 'from-cold' } : { kind: 'deposit', from: transfer.from, into: 'vault' },
      )
    }
    return entries
  }

  /** A theft has one event of the vault, or one Transfer without an event. */
  #losses(logs: readonly Log<bigint, number, false>[]): Entry[] {
    const entry = (index: number, asset: AssetName, amount: bigint, what: Entry['what']): Entry[] =>
      logs.slice(0, 1).map(({ transactionHash, blockNumber: block }) => {
        return { log: `${transactionHash}:${index}`, block, asset, amount, what }
      })
    const own = logs.filter(({ address }) => this.#isVault(address))
    for (const { eventName, args, logIndex } of parseEventLogs({ abi: poolVaultAbi, logs: own })) {
      if (eventName === 'PayoutReleased' || eventName === 'Burned')
        return entry(logIndex, this.#mustBeAsset(args.token), args.amount, {
          kind: 'loss',
          place: 'vault',
          arrived: 0n,
        })
      if (eventName === 'MovedToCold') {
        const { token, sent, arrived } = args
        return entry(logIndex, this.#mustBeAsset(token), sent - arrived, { kind: 'loss', place: 'vault', arrived })
      }
    }
    return this.#transfers(logs).flatMap(({ index, from, asset, amount }) =>
      entry(index, asset, amount, { kind: 'loss', place: from === this.#cold ? 'cold' : 'vault', arrived: 0n }),
    )
  }

  #transfers(logs: readonly Log<bigint, number, false>[]): Transfer[] {
    const tokens = logs.filter(({ address }) => this.#assetOf(address) !== undefined)
    return parseEventLogs({ abi: transferAbi, logs: tokens }).map(({ address, logIndex, args }) => ({
      index: logIndex,
      from: args.from.toLowerCase(),
      to: args.to.toLowerCase(),
      asset: this.#mustBeAsset(address),
      amount: args.value,
    }))
  }

  #vaultEvents(logs: readonly Log<bigint, number, false>[]): VaultEvent[] {
    const own = logs.filter(({ address }) => this.#isVault(address))
    return parseEventLogs({ abi: poolVaultAbi, logs: own }).flatMap((event): VaultEvent[] => {
      const told = (
        token: Address,
        amount: bigint,
        from: Address,
        to: Address,
        what: VaultEvent['what'],
      ): VaultEvent[] => [
        {
          index: event.logIndex,
          asset: this.#mustBeAsset(token),
          amount,
          what,
          from: from.toLowerCase(),
          to: to.toLowerCase(),
        },
      ]
      const vault = event.address
      const found = (token: Address, amount: bigint, from: Address, what: Entry['what']): VaultEvent[] =>
        told(token, amount, from, vault, what)
      switch (event.eventName) {
        case 'Deposited': {
          const { token, amount, from } = event.args
          return found(token, amount, from, { kind: 'deposit', from: from.toLowerCase(), into: 'vault' })
        }
        case 'Paid': {
          const { token, amount, payer, orderId } = event.args
          return found(token, amount, payer, { kind: 'payment', from: payer.toLowerCase(), order: uuidOf(orderId) })
        }
        case 'DividendFunded': {
          const { token, amount, funder, day, txid, outputIndex } = event.args
          return found(token, amount, funder, { kind: 'dividend', day, evidence: `${txid}:${outputIndex}` })
        }
        case 'ReserveFunded': {
          const { token, amount, funder, kind } = event.args
          const reserve = reserveKinds[kind]
          if (!reserve) throw new Error(`reserve ${kind} is not known`)
          return found(token, amount, funder, { kind: 'reserve', reserve })
        }
        case 'MovedToCold': {
          const { token, sent, coldStorage } = event.args
          return told(token, sent, vault, coldStorage, { kind: 'to-cold' })
        }
        case 'MovedToSuccessor': {
          const { token, sent, successor } = event.args
          return sent > 0n ? told(token, sent, vault, successor, null) : []
        }
        case 'PayoutReleased': {
          const { id, to, token, amount } = event.args
          return told(token, amount, vault, to, { kind: 'payout', id: ourId(id), to: to.toLowerCase() })
        }
        case 'Burned': {
          const { token, amount } = event.args
          return told(token, amount, vault, zeroAddress, { kind: 'burn' })
        }
        case 'PayoutRepeated':
          throw new Error(`the payout ${ourId(event.args.id)} was released again, after it was paid`)
        default:
          return []
      }
    })
  }

  #isVault(address: string): boolean {
    return this.#chain.vaults.some((vault) => vault.toLowerCase() === address.toLowerCase())
  }

  #assetOf(token: Address): AssetName | undefined {
    const { usdt, btn, btc } = this.#chain.contracts
    const same = (other: Address) => other.toLowerCase() === token.toLowerCase()
    return same(usdt) ? 'USDT' : same(btn) ? 'BTN' : same(btc) ? 'BTC' : undefined
  }

  #mustBeAsset(token: Address): AssetName {
    const asset = this.#assetOf(token)
    if (!asset) throw new Error(`${token} is none of the pool's tokens`)
    return asset
  }
}

/** On the chain, an id is padded with sixteen zero bytes at the front. */
function uuidOf(id: Hex): string | null {
  const parts = /^0x0{32}(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(id)?.slice(1)
  return parts?.join('-') ?? null
}

function ourId(id: Hex): string {
  const uuid = uuidOf(id)
  if (uuid === null) throw new Error(`a payout was released by the id ${id}, which is none of ours`)
  return uuid
}

export const logOfKey = (chainId: number, key: string): string | undefined => {
  const prefix = `chain:${chainId}:`
  return key.startsWith(prefix) ? key.slice(prefix.length) : undefined
}
