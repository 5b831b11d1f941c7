import type { Address, Hex } from 'viem'
import { encodeFunctionData, pad, toEventSelector, toFunctionSelector, toHex } from 'viem/utils'
import type { Intent } from './payment.ts'

/** A call as a wallet is asked to send it: no value, no gas, nothing that the member could not read in the data. */
export type Call = { readonly to: Address; readonly data: Hex }

/** A signed permit, as the vault takes it. */
export type Permit = { readonly deadline: bigint; readonly v: number; readonly r: Hex; readonly s: Hex }

const address = <Name extends string>(name: Name) => ({ name, type: 'address' }) as const
const uint256 = <Name extends string>(name: Name) => ({ name, type: 'uint256' }) as const
const view = (
  name: string,
  inputs: readonly { name: string; type: 'address' }[],
  outputs: readonly { type: string }[],
) => ({ type: 'function', name, inputs, outputs, stateMutability: 'view' }) as const

/**
 * The few functions that paying needs. The vault's whole ABI is 60 kB, and each phone would download it; a test compares
 * these with the generated ones.
 */
export const tokenAbi = [
  view('balanceOf', [address('account')], [{ type: 'uint256' }]),
  view('allowance', [address('owner'), address('spender')], [{ type: 'uint256' }]),
  view('nonces', [address('owner')], [{ type: 'uint256' }]),
  view('eip712Domain', [], ['bytes1', 'string', 'string', 'uint256', 'address', 'bytes32', 'uint256[]'].map(typed)),
  {
    type: 'function',
    name: 'approve',
    inputs: [address('spender'), uint256('value')],
    outputs: [{ type: 'bool' }],
    stateMutability: 'nonpayable',
  },
] as const

export const vaultAbi = [
  view('paused', [], [{ type: 'bool' }]),
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
    inputs: [
      address('token'),
      uint256('amount'),
      {
        name: 'permit',
        type: 'tuple',
        components: [
          uint256('deadline'),
          { name: 'v', type: 'uint8' },
          { name: 'r', type: 'bytes32' },
          { name: 's', type: 'bytes32' },
        ],
      },
    ],
    outputs: [],
    stateMutability: 'nonpayable',
  },
] as const

function typed(type: string): { type: string } {
  return { type }
}

export const depositedEvent = 'Deposited(address,address,uint256)'

/** The selector of the error with which a paused vault refuses. */
export const VAULT_PAUSED = toFunctionSelector('EnforcedPause()')

export const readBalance = (token: Address, account: Address): Call => ({
  to: token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [account] }),
})

type Allowing = Pick<Intent, 'token' | 'vault'>

export const readAllowance = ({ token, account, vault }: Allowing & Pick<Intent, 'account'>): Call => ({
  to: token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: 'allowance', args: [account, vault] }),
})

export const readPermitNonce = (token: Address, account: Address): Call => ({
  to: token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: 'nonces', args: [account] }),
})

export const readDomain = (token: Address): Call => ({
  to: token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: 'eip712Domain' }),
})

export const readPaused = (vault: Address): Call => ({
  to: vault,
  data: encodeFunctionData({ abi: vaultAbi, functionName: 'paused' }),
})

export const approveOf = ({ token, vault }: Allowing, value: bigint): Call => ({
  to: token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [vault, value] }),
})

/** Zero takes an allowance back; any other is the exact amount. A wallet is asked for no third. */
export const approveCall = (intent: Intent, request: 'reset' | 'approve'): Call =>
  approveOf(intent, request === 'reset' ? 0n : intent.units)

export const depositCall = ({ vault, token, units }: Intent, permit: Permit | null): Call => ({
  to: vault,
  data: permit
    ? encodeFunctionData({ abi: vaultAbi, functionName: 'depositWithPermit', args: [token, units, permit] })
    : encodeFunctionData({ abi: vaultAbi, functionName: 'deposit', args: [token, units] }),
})

/** Whether a transaction is a call that makes this very deposit, in either form and with whichever permit. */
export function isDeposit(intent: Intent, { to, data }: { to: string | null; data: string }): boolean {
  const forms = [depositCall(intent, null), depositCall(intent, { deadline: 0n, v: 0, r: pad('0x'), s: pad('0x') })]
  return to === intent.vault.toLowerCase() && forms.some((form) => sameTerms(form.data, data))
}

/** The function, the token and the amount: the selector and two words. */
const sameTerms = (left: string, right: string): boolean =>
  left.slice(0, 138).toLowerCase() === right.slice(0, 138).toLowerCase()

/** The log that a deposit of these terms leaves. */
export const depositedLog = ({ vault, account, token, units }: Intent) => ({
  address: vault,
  topics: [toEventSelector(depositedEvent), pad(account).toLowerCase(), pad(token).toLowerCase()],
  data: toHex(units, { size: 32 }),
})
