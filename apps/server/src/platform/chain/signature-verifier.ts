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
import { TaskLimiter } from './task-limiter.ts'

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

const TIMEOUT_MS = 2_000
/** Enough gas to deploy a wallet and call it once. A node needs about 30 ms to use all of it. */
const GAS_CAP = 5_000_000n
const CONCURRENCY = 16
const QUEUE = 64

const ERC1271_ABI = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** The selector of `isValidSignature(bytes32,bytes)`, padded to 32 bytes. A longer answer is not from a wallet. */
const ERC1271_MAGIC = `0x1626ba7e${'0'.repeat(56)}`
const PLAIN_SIGNATURE_LENGTH = 2 + 65 * 2

/** Matches the errors of nodes when the contract failed, and not the node itself. */
const EXECUTION_FAILED =
  /revert|out ?of ?gas|invalid ?(opcode|jump)|stack ?(under|over)flow|vm (execution|exception)|evm error|memory ?limit/i
const EXECUTION_REVERTED = 3

/**
 * Verifies the signature of a member's wallet. For a plain account it recovers the address from the signature. Only if
 * that does not give the member's address, it asks the chain, with a client and limits of its own. If a contract burns
 * gas or a node hangs, the caller is refused after two seconds. Others that ask the chain may then have to wait or be
 * refused too; plain accounts and all other calls are not affected.
 */
export function createSignatureVerifier({ rpcUrls, onChainCheck }: Options): VerifySignature {
  // All nodes together must answer within the time limit, so each gets an equal part of it.
  const timeout = Math.floor(TIMEOUT_MS / rpcUrls.length)
  const transports = rpcUrls.map((url) => http(url, { timeout, retryCount: 0 }))
  const client = createClient({ transport: fallback(transports, { retryCount: 0, rank: false }) })
  const gate = new TaskLimiter({ concurrency: CONCURRENCY, queue: QUEUE })

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

  /** Makes all requests in parallel: one after the other, they could take twice the time limit. */
  async function isValidOnChain(account: Address, hash: Hex, signature: Hex): Promise<boolean> {
    const wrapped = unwrap(signature)
    if (!wrapped) return isAcceptedByWallet(account, hash, signature)

    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [account, hash, signature],
    })
    const [code, acceptedNow, resultOnceDeployed] = await Promise.all([
      client.request({ method: 'eth_getCode', params: [account, 'latest'] }),
      isAcceptedByWallet(account, hash, wrapped.signature),
      call({ data }),
    ])
    // If the wallet exists, its present state decides. EIP-6492 would let the person who signs run any call first. Then
    // a wallet whose owner can change, such as a token-bound account, could accept the signature in a simulated state
    // that never happens.
    return code === '0x' ? resultOnceDeployed === '0x01' : acceptedNow
  }

  /** False for an account without code, because the call returns nothing. */
  async function isAcceptedByWallet(account: Address, hash: Hex, signature: Hex): Promise<boolean> {
    const data = encodeFunctionData({ abi: ERC1271_ABI, functionName: 'isValidSignature', args: [hash, signature] })
    return (await call({ to: account, data })) === ERC1271_MAGIC
  }

  async function verifyOnChain(account: Address, hash: Hex, signature: Hex): Promise<Result<void, SignatureRefusal>> {
    const timeLimit = new AbortController()
    const tooLate = sleep(TIMEOUT_MS, 'late' as const, { signal: timeLimit.signal }).catch(() => 'late' as const)
    try {
      // If the check waited too long in the queue, it is skipped.
      const check = gate.run(async () => !timeLimit.signal.aborted && (await isValidOnChain(account, hash, signature)))
      const answer = await Promise.race([check, tooLate])
      if (answer === 'late' || !answer.ok) {
        check.catch(() => {})
        return refused('chain-unavailable')
      }
      return answer.value ? ok(undefined) : refused('signature-invalid')
    } catch (error) {
      if (error instanceof BaseError) return refused('chain-unavailable')
      throw error
    } finally {
      timeLimit.abort()
    }
  }

  return async ({ account, message, signature }) => {
    const hash = hashMessage(message)
    if (await isSignedByKeyOf(account, hash, signature)) return ok(undefined)
    const result = await verifyOnChain(account, hash, signature)
    onChainCheck(result.ok ? 'valid' : result.error)
    return result
  }
}

async function isSignedByKeyOf(account: Address, hash: Hex, signature: Hex): Promise<boolean> {
  if (signature.length !== PLAIN_SIGNATURE_LENGTH) return false
  try {
    return isAddressEqual(await recoverAddress({ hash, signature }), account)
  } catch {
    // The 65 bytes are not a valid signature.
    return false
  }
}

/** Returns the signature inside an EIP-6492 wrapper; null if there is no valid wrapper. */
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
