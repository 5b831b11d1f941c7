import { setTimeout as sleep } from 'node:timers/promises'
import { ok, type Result, refused } from '@lode/kernel'
import {
  type Address,
  BaseError,
  createClient,
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  fallback,
  type Hex,
  hashMessage,
  http,
  isAddressEqual,
  isErc6492Signature,
  numberToHex,
  parseAbi,
  parseErc6492Signature,
  RpcRequestError,
  recoverAddress,
} from 'viem'
import { Gate } from './gate.ts'

export type SignatureRefusal = 'signature-invalid' | 'chain-unavailable'

export type VerifySignature = (signed: {
  account: Address
  message: string
  signature: Hex
}) => Promise<Result<void, SignatureRefusal>>

type Options = {
  rpcUrls: readonly string[]
  onChainCheck: (outcome: 'valid' | SignatureRefusal) => void
}

const PATIENCE_MS = 2_000
/** Enough gas to deploy a wallet and ask it in one call. A node uses all of it within about 30 ms. */
const GAS_CAP = 5_000_000n
const CONCURRENCY = 16
const QUEUE = 64

const ERC1271_ABI = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** bytes4 of `isValidSignature(bytes32,bytes)`, padded to a word. A contract that returns more is not a wallet. */
const ERC1271_MAGIC = `0x1626ba7e${'0'.repeat(56)}`
const PLAIN_SIGNATURE_LENGTH = 2 + 65 * 2

/** What nodes say when the contract failed, as opposed to the node itself. */
const EXECUTION_FAILED =
  /revert|out ?of ?gas|invalid ?(opcode|jump)|stack ?(under|over)flow|vm (execution|exception)|evm error|memory ?limit/i
const EXECUTION_REVERTED = 3

/**
 * Signatures of plain accounts are recovered here. Only if that fails is the chain asked, with separate clients and
 * limits. A contract that burns gas, or a node that hangs, costs its caller a refusal and affects nobody else.
 */
export function createSignatureVerifier({ rpcUrls, onChainCheck }: Options): VerifySignature {
  // All nodes together must answer within the time limit, so each gets an equal part of it.
  const timeout = Math.floor(PATIENCE_MS / rpcUrls.length)
  const transports = rpcUrls.map((url) => http(url, { timeout, retryCount: 0 }))
  const client = createClient({ transport: fallback(transports, { retryCount: 0, rank: false }) })
  const gate = new Gate({ concurrency: CONCURRENCY, queue: QUEUE })

  /** Returns the result of a call, or null if the contract failed. Throws if the node failed. */
  async function call(request: { to?: Address; data: Hex }): Promise<Hex | null> {
    try {
      return await client.request({
        method: 'eth_call',
        params: [{ ...request, gas: numberToHex(GAS_CAP) }, 'latest'],
      })
    } catch (error) {
      if (isExecutionFailure(error)) return null
      throw error
    }
  }

  /** All questions are asked in parallel: one after the other could take twice the time limit. */
  async function askChain(account: Address, hash: Hex, signature: Hex): Promise<boolean> {
    const wrapped = unwrap(signature)
    if (!wrapped) return askWallet(account, hash, signature)

    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [account, hash, signature],
    })
    const [code, asItIs, onceDeployed] = await Promise.all([
      client.request({ method: 'eth_getCode', params: [account, 'latest'] }),
      askWallet(account, hash, wrapped.signature),
      call({ data }),
    ])
    // A wallet that exists is asked in its present state. EIP-6492 would let the signer run any call first. A wallet
    // whose owner can change, such as a token-bound account, could then accept a signature in a simulated state that
    // never happens.
    return code === '0x' ? onceDeployed === '0x01' : asItIs
  }

  /** An account without code returns nothing, which is not a yes. */
  async function askWallet(account: Address, hash: Hex, signature: Hex): Promise<boolean> {
    const data = encodeFunctionData({ abi: ERC1271_ABI, functionName: 'isValidSignature', args: [hash, signature] })
    return (await call({ to: account, data })) === ERC1271_MAGIC
  }

  async function verifyOnChain(account: Address, hash: Hex, signature: Hex): Promise<Result<void, SignatureRefusal>> {
    const patience = new AbortController()
    const tooLate = sleep(PATIENCE_MS, 'late' as const, { signal: patience.signal }).catch(() => 'late' as const)
    try {
      // A check that waited too long in the queue is not made any more.
      const asked = gate.run(async () => !patience.signal.aborted && (await askChain(account, hash, signature)))
      const answer = await Promise.race([asked, tooLate])
      if (answer === 'late' || !answer.ok) {
        asked.catch(() => {})
        return refused('chain-unavailable')
      }
      return answer.value ? ok(undefined) : refused('signature-invalid')
    } catch (error) {
      if (error instanceof BaseError) return refused('chain-unavailable')
      throw error
    } finally {
      patience.abort()
    }
  }

  return async ({ account, message, signature }) => {
    const hash = hashMessage(message)
    if (await isRecovered(account, hash, signature)) return ok(undefined)
    const result = await verifyOnChain(account, hash, signature)
    onChainCheck(result.ok ? 'valid' : result.error)
    return result
  }
}

async function isRecovered(account: Address, hash: Hex, signature: Hex): Promise<boolean> {
  if (signature.length !== PLAIN_SIGNATURE_LENGTH) return false
  try {
    return isAddressEqual(await recoverAddress({ hash, signature }), account)
  } catch {
    // Sixty-five bytes that are not a point on the curve.
    return false
  }
}

/** The inner signature and the call that deploys the wallet; null if it is not wrapped, or not correctly. */
function unwrap(signature: Hex): { signature: Hex } | null {
  if (!isErc6492Signature(signature)) return null
  try {
    return parseErc6492Signature(signature)
  } catch {
    return null
  }
}

function isExecutionFailure(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const answer = error.walk((cause) => cause instanceof RpcRequestError)
  if (!(answer instanceof RpcRequestError)) return false
  return answer.code === EXECUTION_REVERTED || EXECUTION_FAILED.test(answer.details)
}
