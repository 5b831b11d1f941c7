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
/** Room to deploy a wallet and ask it in one call; a node has burned it all within some 30 ms. */
const GAS_CAP = 5_000_000n
const CONCURRENCY = 16
const QUEUE = 64

const ERC1271_ABI = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** bytes4 of `isValidSignature(bytes32,bytes)`, padded to a word. Whoever answers more than this word is not a wallet. */
const ERC1271_MAGIC = `0x1626ba7e${'0'.repeat(56)}`
const PLAIN_SIGNATURE_LENGTH = 2 + 65 * 2

/** What nodes say when the contract failed, as opposed to when they did. */
const EXECUTION_FAILED =
  /revert|out ?of ?gas|invalid ?(opcode|jump)|stack ?(under|over)flow|vm (execution|exception)|evm error|memory ?limit/i
const EXECUTION_REVERTED = 3

/**
 * Plain accounts are recovered here. Only when that fails is the chain asked, over clients and limits of their own: a
 * contract that burns gas or a node that hangs costs its caller a refusal and nobody else anything.
 */
export function createSignatureVerifier({ rpcUrls, onChainCheck }: Options): VerifySignature {
  // Together the nodes must answer within the patience, so each of several gets its part.
  const timeout = Math.floor(PATIENCE_MS / rpcUrls.length)
  const transports = rpcUrls.map((url) => http(url, { timeout, retryCount: 0 }))
  const client = createClient({ transport: fallback(transports, { retryCount: 0, rank: false }) })
  const gate = new Gate({ concurrency: CONCURRENCY, queue: QUEUE })

  /** What a call returns, or null where the contract failed. Throws where the node did. */
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

  /** All that may be needed is asked at once: one question after the other could take twice the patience. */
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
    // A wallet that exists is asked as it is. EIP-6492 would let the signer run any call before asking, and a wallet whose
    // owner can be bought, as a token-bound account's can, would say yes in a future that never happens.
    return code === '0x' ? onceDeployed === '0x01' : asItIs
  }

  /** An account without code answers nothing, which is no yes. */
  async function askWallet(account: Address, hash: Hex, signature: Hex): Promise<boolean> {
    const data = encodeFunctionData({ abi: ERC1271_ABI, functionName: 'isValidSignature', args: [hash, signature] })
    return (await call({ to: account, data })) === ERC1271_MAGIC
  }

  async function verifyOnChain(account: Address, hash: Hex, signature: Hex): Promise<Result<void, SignatureRefusal>> {
    const patience = new AbortController()
    const tooLate = sleep(PATIENCE_MS, 'late' as const, { signal: patience.signal }).catch(() => 'late' as const)
    try {
      // Whoever waited in the queue until too late is not asked about any more.
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
    // Sixty-five bytes that are no point on the curve.
    return false
  }
}

/** The inner signature and what deploys the wallet, or null where it is not wrapped, or only pretends to be. */
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
