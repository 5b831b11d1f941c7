import type { Address, Hex } from 'viem'
import { encodeFunctionData, pad, toEventSelector, toFunctionSelector, toHex } from 'viem/utils'
import type { Intent, OrderPurpose, PaymentTerms } from './payment.ts'

/**
 * A contract call: the app reads with it, or asks the wallet to send it. It sends no native coin and sets no gas limit,
 * so `data` says everything that it does.
 */
export type Call = { readonly to: Address; readonly data: Hex }

/** A signed permit in the form that the vault accepts. */
export type Permit = { readonly deadline: bigint; readonly v: number; readonly r: Hex; readonly s: Hex }

const address = <Name extends string>(name: Name) => ({ name, type: 'address' }) as const
const uint256 = <Name extends string>(name: Name) => ({ name, type: 'uint256' }) as const
const view = (
  name: string,
  inputs: readonly { name: string; type: 'address' }[],
  outputs: readonly { type: string }[],
) => ({ type: 'function', name, inputs, outputs, stateMutability: 'view' }) as const

/**
 * The token functions that a payment needs; `vaultAbi` has those of the vault. The vault's whole ABI has 60 kB, which
 * every phone would download. A test compares both lists with the generated ABI.
 */
export const tokenAbi = [
  view('balanceOf', [address('account')], [{ type: 'uint256' }]),
  view('allowance', [address('owner'), address('spender')], [{ type: 'uint256' }]),
  view('nonces', [address('owner')], [{ type: 'uint256' }]),
  view('eip712Domain', [], ['bytes1', 'string', 'string', 'uint256', 'address', 'bytes32', 'uint256[]'].map(typeOnly)),
  {
    type: 'function',
    name: 'approve',
    inputs: [address('spender'), uint256('value')],
    outputs: [{ type: 'bool' }],
    stateMutability: 'nonpayable',
  },
] as const

const quote = {
  name: 'quote',
  type: 'tuple',
  components: [
    { name: 'orderId', type: 'bytes32' },
    address('payer'),
    address('token'),
    uint256('amount'),
    uint256('deadline'),
  ],
} as const
const signature = { name: 'signature', type: 'bytes' } as const
const permit = {
  name: 'permit',
  type: 'tuple',
  components: [
    uint256('deadline'),
    { name: 'v', type: 'uint8' },
    { name: 'r', type: 'bytes32' },
    { name: 's', type: 'bytes32' },
  ],
} as const

export const vaultAbi = [
  view('paused', [], [{ type: 'bool' }]),
  { type: 'function', name: 'pay', inputs: [quote, signature], outputs: [], stateMutability: 'nonpayable' },
  {
    type: 'function',
    name: 'payWithPermit',
    inputs: [quote, signature, permit],
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    name: 'deposit',
    inputs: [address('token'), uint256('amount')],
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    name: 'depositWithPermit',
    inputs: [address('token'), uint256('amount'), permit],
    outputs: [],
    stateMutability: 'nonpayable',
  },
] as const

function typeOnly(type: string): { type: string } {
  return { type }
}

export const depositedEvent = 'Deposited(address,address,uint256)'
export const paidEvent = 'Paid(bytes32,address,address,uint256,bytes32)'

/** Selectors of the vault's errors: vault paused, quote past its deadline, quote already used. */
export const VAULT_PAUSED = toFunctionSelector('EnforcedPause()')
export const QUOTE_EXPIRED = toFunctionSelector('QuoteExpired(uint256)')
export const QUOTE_SPENT = toFunctionSelector('QuoteSpent(bytes32)')

export const balanceCall = (token: Address, account: Address): Call => ({
  to: token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [account] }),
})

type TokenAndVault = Pick<Intent, 'token' | 'vault'>

export const allowanceCall = ({ token, account, vault }: TokenAndVault & Pick<Intent, 'account'>): Call => ({
  to: token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: 'allowance', args: [account, vault] }),
})

export const permitNonceCall = (token: Address, account: Address): Call => ({
  to: token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: 'nonces', args: [account] }),
})

export const domainCall = (token: Address): Call => ({
  to: token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: 'eip712Domain' }),
})

export const pausedCall = (vault: Address): Call => ({
  to: vault,
  data: encodeFunctionData({ abi: vaultAbi, functionName: 'paused' }),
})

export const approveAmountCall = ({ token, vault }: TokenAndVault, value: bigint): Call => ({
  to: token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [vault, value] }),
})

/**
 * `reset` sets the allowance to zero, `approve` sets it to the exact amount. A wallet is asked for no other allowance.
 */
export const resetOrApproveCall = (terms: PaymentTerms, request: 'reset' | 'approve'): Call =>
  approveAmountCall(terms, request === 'reset' ? 0n : terms.units)

export const depositCall = ({ vault, token, units }: PaymentTerms, permit: Permit | null): Call => ({
  to: vault,
  data: permit
    ? encodeFunctionData({ abi: vaultAbi, functionName: 'depositWithPermit', args: [token, units, permit] })
    : encodeFunctionData({ abi: vaultAbi, functionName: 'deposit', args: [token, units] }),
})

/** Whether a transaction makes this deposit, with or without a permit. The permit itself is not compared. */
export function isDeposit(intent: Intent, { to, data }: { to: string | null; data: string }): boolean {
  const forms = [depositCall(intent, null), depositCall(intent, { deadline: 0n, v: 0, r: pad('0x'), s: pad('0x') })]
  return to === intent.vault.toLowerCase() && forms.some((form) => hasSameTerms(form.data, data, 2))
}

/** Compares the function selector and the first `words` arguments, of 32 bytes each. */
const hasSameTerms = (left: string, right: string, words: number): boolean => {
  const end = '0x'.length + 8 + words * 64
  return left.slice(0, end).toLowerCase() === right.slice(0, end).toLowerCase()
}

type OrderTerms = PaymentTerms & { readonly purpose: OrderPurpose }
type OrderIntent = Intent & OrderTerms

export function orderCall({ vault, account, token, units, purpose }: OrderTerms, permit: Permit | null): Call {
  const { orderId, signature } = purpose
  const terms = { orderId, payer: account, token, amount: units, deadline: BigInt(purpose.deadline) }
  return {
    to: vault,
    data: permit
      ? encodeFunctionData({ abi: vaultAbi, functionName: 'payWithPermit', args: [terms, signature, permit] })
      : encodeFunctionData({ abi: vaultAbi, functionName: 'pay', args: [terms, signature] }),
  }
}

/** Whether a transaction pays this order, with or without a permit. Compares all terms of the quote. */
export function isOrderPayment(intent: OrderIntent, { to, data }: { to: string | null; data: string }): boolean {
  const forms = [orderCall(intent, null), orderCall(intent, { deadline: 0n, v: 0, r: pad('0x'), s: pad('0x') })]
  return to === intent.vault.toLowerCase() && forms.some((form) => hasSameTerms(form.data, data, 5))
}

/** Finds the log of this order's payment. `data` is only its start: the quote's digest follows and is not compared. */
export const paidLogFilter = ({ vault, account, token, units, purpose: { orderId } }: OrderIntent) => ({
  address: vault,
  topics: [toEventSelector(paidEvent), orderId, pad(account).toLowerCase(), pad(token).toLowerCase()],
  data: toHex(units, { size: 32 }),
})

/** Finds the logs of deposits with these terms. */
export const depositedLogFilter = ({ vault, account, token, units }: Intent) => ({
  address: vault,
  topics: [toEventSelector(depositedEvent), pad(account).toLowerCase(), pad(token).toLowerCase()],
  data: toHex(units, { size: 32 }),
})
