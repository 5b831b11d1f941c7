import { poolVaultAbi } from '@lode/contracts'
import { ok, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { type Address, decodeEventLog, encodeEventTopics, getAddress, type Hex, isAddress } from 'viem'
import { readChainState } from '../../modules/custody/index.ts'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { ChainNode } from '../../platform/chain/node.ts'
import { ExpectedFailure } from '../start-up.ts'
import { askNodes, openNodes } from './open-nodes.ts'
import { readLogsSince } from './spend-tokens.ts'
import { type Answer, readTextFile } from './terminal.ts'
import { hasVaultRole, type VaultRole, vaultRoles } from './vault-roles.ts'
import { type PoolContext, withPool } from './with-database.ts'

type Options = { readonly chain: string; readonly terms?: string }

export function addRolesCommand(vault: Command): void {
  vault
    .command('roles')
    .requiredOption('--chain <url>', 'a node of your own choice')
    .option('--terms <file>', 'the terms by which the vault was deployed: a holder whom they do not name is reported')
    .description(
      'who holds each role of the vault, its quote key and its cold address; exits with 1 if one is unexpected',
    )
    .action((options: Options) => withPool((context) => showRoles(context, options)))
}

type Holding = { readonly role: VaultRole | 'quote key' | 'cold address'; readonly account: Address }

async function showRoles(context: PoolContext, options: Options): Promise<Result<Answer, string>> {
  const { pool, contracts } = context
  const state = await readChainState(context.db)
  const [node] = await openNodes(options.chain, { chainId: pool.chainId, contracts }, state?.genesisHash ?? null)
  if (!node) throw new ExpectedFailure('Name a node with --chain.')
  const holdings = await askNodes(() => readHoldings(context, node, state?.postedNumber ?? null))
  const isContract = await askNodes(() => hasCode(node, holdings))
  const warnings = [
    ...findWeaknesses(holdings, isContract),
    ...(options.terms === undefined ? [] : compareWithTerms(holdings, readTermRoles(options.terms))),
  ]
  if (warnings.length > 0) process.exitCode = 1
  return ok({
    text: [
      `Vault ${contracts.vault} on chain ${pool.chainId}`,
      ...holdings.map(
        ({ role, account }) => `  ${role.padEnd(13)}  ${account}${isContract.has(account) ? '  (a contract)' : ''}`,
      ),
      ...warnings.map((warning) => `WARNING: ${warning}`),
    ].join('\n'),
    data: {
      vault: contracts.vault,
      roles: holdings.map(({ role, account }) => ({ role, account, isContract: isContract.has(account) })),
      warnings,
    },
  })
}

/** Every account that ever got a role is asked for: those that the pool has read, and those in newer blocks. */
async function readHoldings(
  { db, contracts: { vault, firstBlock } }: PoolContext,
  node: ChainNode,
  posted: bigint | null,
): Promise<Holding[]> {
  const { rows } = await sql<{ account: string }>`
    select distinct arguments ->> 'account' as account from lode.vault_event
    where name = 'RoleGranted' and vault = ${bytesOf(vault)}`.execute(db)
  const topics = encodeEventTopics({ abi: poolVaultAbi, eventName: 'RoleGranted' }) as Hex[]
  const logs = await readLogsSince(
    node,
    { address: vault, topics },
    rows.length === 0 || posted === null ? firstBlock : posted,
  )
  const granted = logs.map((log) => {
    const [signature, ...indexed] = log.topics as [Hex, ...Hex[]]
    return decodeEventLog({
      abi: poolVaultAbi,
      eventName: 'RoleGranted',
      topics: [signature, ...indexed],
      data: log.data,
    }).args.account
  })
  const accounts = new Set([...rows.map(({ account }) => getAddress(account)), ...granted])
  const holdings: Holding[] = []
  for (const role of Object.keys(vaultRoles) as VaultRole[])
    for (const account of accounts) if (await hasVaultRole(node, vault, role, account)) holdings.push({ role, account })
  const read = (functionName: 'quoteSigner' | 'coldStorage') =>
    node.read({ address: vault, abi: poolVaultAbi, functionName })
  return [
    ...holdings,
    { role: 'quote key', account: await read('quoteSigner') },
    { role: 'cold address', account: await read('coldStorage') },
  ]
}

async function hasCode(node: ChainNode, holdings: readonly Holding[]): Promise<Set<Address>> {
  const latest = await node.block('latest')
  const contracts = new Set<Address>()
  for (const { account } of holdings) if (latest && (await node.hasCode(account, latest.number))) contracts.add(account)
  return contracts
}

/** What is dangerous whichever accounts the terms name, such as an administrator with one key, or too few guardians. */
function findWeaknesses(holdings: readonly Holding[], isContract: ReadonlySet<Address>): string[] {
  const holdersOf = (role: Holding['role']) => holdings.filter((one) => one.role === role)
  const shared = new Set(
    holdings.filter(({ account }, index) => holdings.findIndex((one) => one.account === account) < index),
  )
  return [
    ...holdersOf('administrator')
      .filter(({ account }) => !isContract.has(account))
      .map(({ account }) => `the administrator ${account} is a plain account: one stolen key is enough.`),
    ...(holdersOf('guardian').length < 2 ? ['there are fewer than two guardians.'] : []),
    ...(holdersOf('payer').length === 0 ? ['there is no payer: nothing is paid out.'] : []),
    ...(holdersOf('payer').length > 1 ? ['there are several payers. The signer uses one.'] : []),
    ...(holdersOf('funder').length === 0 ? ['there is no funder: no day can be funded.'] : []),
    ...Array.from(shared, ({ role, account }) => `${account} is ${role} and has another role too.`),
  ]
}

type TermRoles = Readonly<Record<Holding['role'], readonly Address[]>>

function compareWithTerms(holdings: readonly Holding[], terms: TermRoles): string[] {
  const unexpected = holdings.filter(({ role, account }) => !terms[role].includes(account))
  const missing = (Object.keys(terms) as Holding['role'][]).flatMap((role) =>
    terms[role]
      .filter((account) => !holdings.some((one) => one.role === role && one.account === account))
      .map((account) => `${account} is not ${role}, but the terms name it.`),
  )
  return [...unexpected.map(({ role, account }) => `${account} is ${role}, and the terms do not name it.`), ...missing]
}

function readTermRoles(file: string): TermRoles {
  try {
    const { roles } = JSON.parse(readTextFile(file)) as { roles: Readonly<Record<string, unknown>> }
    const of = (...names: readonly string[]): Address[] =>
      names.map((name) => {
        const address = roles[name]
        if (typeof address !== 'string' || !isAddress(address)) throw new Error(name)
        return getAddress(address)
      })
    return {
      administrator: of('administrator'),
      guardian: of('guardian', 'secondGuardian'),
      payer: of('payer'),
      funder: of('funder'),
      'quote key': of('quoteSigner'),
      'cold address': of('coldStorage'),
    }
  } catch (error) {
    if (error instanceof ExpectedFailure) throw error
    throw new ExpectedFailure(`${file} is not a file of terms: every role must have an address.`)
  }
}
