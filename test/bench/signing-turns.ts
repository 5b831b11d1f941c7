import { type Asset, assets } from '@lode/kernel'
import {
  type ChainConfig,
  type connectDatabase,
  countOpenPayouts,
  createLogger,
  createMetrics,
  createOperators,
  createPayerMetrics,
  createPlans,
  createReleaseSigner,
  judgeTransfers,
  MAX_BATCH_SIZE,
  MAX_JUDGED,
  readDueIds,
  type SigningInputs,
  testContracts,
} from '@lode/server'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const chain: ChainConfig = {
  id: 31_337,
  name: 'none',
  nodes: [],
  nodesFile: null,
  publicRpcUrl: '',
  explorerUrl: null,
  currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  contracts: testContracts,
  finality: { kind: 'finalized' },
  finalityMinutes: 15,
  priceMaxAgeSeconds: 3_600,
  genesisHash: null,
}
const payer = {
  key: toHex(1n, { size: 32 }),
  dayCap: {},
  pollMs: 5_000,
  stuckAfterMs: 60_000,
  maxFee: 10n ** 11n,
  journal: null,
}

type Connection = ReturnType<typeof connectDatabase>

/**
 * What the signer does in the database while payouts are due, for benches. No chain is asked: every release is taken
 * for mined at once.
 */
export function createSigningTurns({ db, pool }: Connection, { firstNonce }: { readonly firstNonce: bigint }) {
  const plans = createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators: null })
  const operators = createOperators({ pool: testContracts.vault, chainId: chain.id, ceremony: null })
  const signer = createReleaseSigner(
    {
      account: privateKeyToAccount(payer.key),
      chain,
      payer,
      metrics: createPayerMetrics(createMetrics('signer', pool).registry),
      log: createLogger('bench', 'silent'),
    },
    {
      judge: (trx, payouts) => judgeTransfers(trx, payouts, { plans, operators, pinned: true }),
      mayBurn: async () => false,
      findClockProblem: async () => null,
    },
  )
  let nonce = firstNonce

  return {
    /** Judges the due payouts and signs the next release. Returns its number, or null if nothing could be signed. */
    async sign({ hasRoom }: { readonly hasRoom: boolean }): Promise<bigint | null> {
      const room = ofEachAsset(hasRoom ? 10n ** 30n : 0n)
      const inputs: SigningInputs = {
        nonce,
        fees: { maxFee: 10n ** 10n, maxPriorityFee: 10n ** 9n },
        vault: {
          paused: false,
          mayPay: true,
          balances: room,
          payoutCap: room,
          payoutRoom: room,
          burnRoom: 0n,
          releaseGas: (payouts) => BigInt(payouts) * 60_000n,
        },
        room: { cap: room, wholeCap: room, float: room },
        burnDue: 0n,
        blocked: new Map(),
        missing: new Set(),
        unpaid: new Set(await readDueIds(db, MAX_JUDGED)),
        maxPayouts: MAX_BATCH_SIZE,
      }
      const { release } = await signer.signPayouts(db, inputs)
      if (release !== null) nonce += 1n
      return release
    },
    count: () => countOpenPayouts(db),
  }
}

const ofEachAsset = (amount: bigint) =>
  Object.fromEntries(assets.map((asset) => [asset, amount])) as Record<Asset, bigint>
