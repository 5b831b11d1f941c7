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
  toHex,
} from 'viem'
import { createClients, type NodeList } from './node-list.ts'
import { TaskLimiter } from './task-limiter.ts'

export type SignatureRefusal = 'signature-invalid' | 'chain-unavailable'

export type SignedText = { readonly message: string; readonly signature: Hex }

/** For a row of lode.key_proof, or of a left join with it. */
export const keyProofFromRow = (
  row: { message: string | null; signature: Buffer | null } | undefined,
): SignedText | null =>
  row?.message && row.signature ? { message: row.message, signature: toHex(row.signature) } : null

/** Who vouches for a signature: the account's own key, or its contract. */
type SignedBy = 'key' | 'contract'

export type VerifySignature = (signed: {
  account: Address
  message: string
  signature: Hex
  /** An earlier signature by the account's own key, as it is stored; null if there is none. */
  keyProof: SignedText | null
}) => Promise<Result<SignedBy, SignatureRefusal>>

type Options = {
  nodes: NodeList
  onChainCheck: (outcome: 'valid' | SignatureRefusal) => void
}

type Client = ReturnType<typeof createClient>
type Node = { readonly origin: string; readonly client: Client }

const TIMEOUT_MS = 2_000
/** Shorter, so that the other nodes decide if one hangs. */
const NODE_TIMEOUT_MS = 1_500
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
 * that does not give the member's address, and the account never signed with its own key, it asks the chain, with
 * clients and limits of its own. If a contract burns gas or a node hangs, the caller is refused after two seconds.
 * Others that ask the chain may then have to wait or be refused too; plain accounts and all other calls are not
 * affected.
 */
export function createSignatureVerifier({ nodes: addresses, onChainCheck }: Options): VerifySignature {
  const nodes = createClients(addresses, ({ url, origin }) => ({
    origin,
    client: createClient({ transport: http(url, { timeout: NODE_TIMEOUT_MS, retryCount: 0 }) }),
  }))
  const gate = new TaskLimiter({ concurrency: CONCURRENCY, queue: QUEUE })

  async function verifyOnChain(claim: Claim): Promise<Result<'contract', SignatureRefusal>> {
    const timeLimit = new AbortController()
    const tooLate = sleep(TIMEOUT_MS, 'late' as const, { signal: timeLimit.signal }).catch(() => 'late' as const)
    try {
      // If the check waited too long in the queue, it is skipped.
      const check = gate.run(
        async (): Promise<Result<'contract', SignatureRefusal>> =>
          timeLimit.signal.aborted ? refused('chain-unavailable') : askNodes(nodes(), claim),
      )
      const answer = await Promise.race([check, tooLate])
      if (answer === 'late' || !answer.ok) {
        check.catch(() => {})
        return refused('chain-unavailable')
      }
      return answer.value
    } finally {
      timeLimit.abort()
    }
  }

  return async ({ account, message, signature, keyProof }) => {
    if (await isSignedByKeyOf(account, { message, signature })) return ok('key')
    if (keyProof && (await isSignedByKeyOf(account, keyProof))) return refused('signature-invalid')
    const result = await verifyOnChain({ account, hash: hashMessage(message), signature })
    onChainCheck(result.ok ? 'valid' : result.error)
    return result
  }
}

type Claim = { readonly account: Address; readonly hash: Hex; readonly signature: Hex }

/**
 * Asks all nodes at once. Nodes of two origins must say the same, and none may contradict them, so that a single node
 * that lies or lags decides nothing. If all configured nodes have one origin, one answer is enough.
 */
async function askNodes(nodes: readonly Node[], claim: Claim): Promise<Result<'contract', SignatureRefusal>> {
  const needed = Math.min(2, new Set(nodes.map(({ origin }) => origin)).size)
  const accepting = new Set<string>()
  const refusing = new Set<string>()
  await Promise.all(
    nodes.map(async ({ origin, client }) => {
      try {
        ;((await isValidOnChain(client, claim)) ? accepting : refusing).add(origin)
      } catch (error) {
        if (!(error instanceof BaseError)) throw error
      }
    }),
  )
  if (accepting.size >= needed && refusing.size === 0) return ok('contract')
  return refusing.size >= needed && accepting.size === 0 ? refused('signature-invalid') : refused('chain-unavailable')
}

/** Throws if the node failed. Makes all requests in parallel: one after the other, they could take twice the time. */
async function isValidOnChain(client: Client, { account, hash, signature }: Claim): Promise<boolean> {
  const wrapped = unwrap(signature)
  if (!wrapped) return isAcceptedByWallet(client, { account, hash, signature })

  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [account, hash, signature],
  })
  const [code, acceptedNow, resultOnceDeployed] = await Promise.all([
    client.request({ method: 'eth_getCode', params: [account, 'latest'] }),
    isAcceptedByWallet(client, { account, hash, signature: wrapped.signature }),
    call(client, { data }),
  ])
  // If the wallet exists, its present state decides. EIP-6492 would let the person who signs run any call first. Then a
  // wallet whose owner can change, such as a token-bound account, could accept the signature in a simulated state that
  // never happens.
  return code === '0x' ? resultOnceDeployed === '0x01' : acceptedNow
}

/** False for an account without code, because the call returns nothing. */
async function isAcceptedByWallet(client: Client, { account, hash, signature }: Claim): Promise<boolean> {
  const data = encodeFunctionData({ abi: ERC1271_ABI, functionName: 'isValidSignature', args: [hash, signature] })
  return (await call(client, { to: account, data })) === ERC1271_MAGIC
}

/** Returns the result of a call, or null if the contract failed. Throws if the node failed. */
async function call(client: Client, request: { to?: Address; data: Hex }): Promise<Hex | null> {
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

async function isSignedByKeyOf(account: Address, { message, signature }: SignedText): Promise<boolean> {
  if (signature.length !== PLAIN_SIGNATURE_LENGTH) return false
  try {
    return isAddressEqual(await recoverAddress({ hash: hashMessage(message), signature }), account)
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
