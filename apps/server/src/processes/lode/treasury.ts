import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { readSystemBalances } from '../../modules/ledger/index.ts'
import {
  findSamePayment,
  isTreasuryAccount,
  proposeListing,
  proposePayment,
  readLapsedListings,
  readListings,
  readPayments,
  storeListing,
  type TreasuryAccount,
  treasuryAccounts,
} from '../../modules/treasury/index.ts'
import { formatNumber } from '../../platform/config/pool-contracts.ts'
import { amountOrRefuse, assetOrRefuse } from './amounts.ts'
import { addSigningOptions, decide, type SigningOptions, wakeWorker } from './decide.ts'
import { describePayment, paymentData } from './describe-payment.ts'
import { describeOpenDecisions, listOpenDecisions } from './open-decisions.ts'
import type { Answer } from './terminal.ts'
import { formatUtc } from './times.ts'
import { addressOrRefuse, type PoolContext, withPool } from './with-database.ts'

export function addTreasuryCommands(program: Command): void {
  const treasury = program.command('treasury').description('payments from the pool’s own accounts')

  addSigningOptions(
    treasury
      .command('address')
      .argument('<address>')
      .argument('[note]', 'whose it is, and what for')
      .description('list an address; it can be paid 48 hours after the second operator has signed'),
  ).action((address: string, note: string | undefined, options: SigningOptions) => {
    const listed = addressOrRefuse(address)
    return withPool(async (context) => {
      const proposal = await proposeListing(context.db, context.contracts, { address: listed, note })
      if (!proposal.ok) return proposal
      return decide(context, proposal.value, options, {
        onSigned: async (trx, { id, complete }) => (complete ? storeListing(trx, id, listed) : ok(null)),
        done: 'The address can be paid from 48 hours from now on, for a year.',
      })
    })
  })

  treasury
    .command('list')
    .description('show the listed addresses and the payments')
    .action(() => withPool(list))

  addSigningOptions(
    treasury
      .command('pay')
      .argument('<from>', Object.keys(treasuryAccounts).join(', '))
      .argument('<amount>')
      .argument('<address>')
      .argument('[evidence]', 'what for; members read it, and the second operator need not say it again')
      .option('--symbol <symbol>', 'the asset to pay; needed for pool:operations, which holds all three')
      .option('--again', 'pay although the same amount was paid to this address before')
      .description('pay from an account of the pool’s own; two operators sign'),
  ).action((from: string, amount: string, address: string, evidence: string | undefined, options: PayOptions) =>
    withPool((context) => pay(context, { from, amount, address, evidence }, options)),
  )
}

type PayOptions = SigningOptions & { readonly symbol?: string; readonly again?: true }

async function pay(
  context: PoolContext,
  {
    from,
    amount,
    address,
    evidence,
  }: Readonly<Record<'from' | 'amount' | 'address', string>> & { evidence: string | undefined },
  { symbol: givenSymbol, again, ...options }: PayOptions,
): Promise<Result<string, string>> {
  if (!isTreasuryAccount(from)) return refused(`${from} is not one of ${Object.keys(treasuryAccounts).join(', ')}.`)
  const [only, ...others] = treasuryAccounts[from]
  const symbol = givenSymbol === undefined ? only : assetOrRefuse(givenSymbol)
  if (givenSymbol === undefined && others.length > 0) return refused(`${from} holds more than one asset: use --symbol.`)
  const { db, operators, contracts } = context
  const request = { from, symbol, amount: amountOrRefuse(contracts, symbol, amount), address: addressOrRefuse(address) }
  const same = again ? undefined : await findSamePayment(db, operators, request)
  if (same)
    return refused(
      `Nothing was signed. The same payment exists already:\n  ${describePayment(same, contracts)}\nTo pay it once more, add --again.`,
    )
  const proposal = await proposePayment(db, { operators, contracts }, { ...request, evidence })
  if (!proposal.ok) return proposal
  return decide(context, proposal.value, options, {
    onSigned: wakeWorker,
    done: 'It will be paid: lode treasury list shows its state.',
    needsSigner: true,
  })
}

async function list(context: PoolContext): Promise<Result<Answer, string>> {
  const { db, operators, contracts } = context
  const balance = await readSystemBalances(db)
  const balances = Object.entries(treasuryAccounts).flatMap(([account, symbols]) =>
    symbols.map((symbol) => ({
      account,
      symbol,
      amount: formatNumber(contracts, symbol, balance(account as TreasuryAccount, symbol)),
    })),
  )
  const listed = await readListings(db, operators)
  const addresses = listed.map(
    ({ address, note, payableFrom, until }) =>
      `  ${address}  from ${formatUtc(payableFrom)} until ${formatUtc(until)}: ${note}`,
  )
  const lapsed = await readLapsedListings(db, operators)
  const former = lapsed.map(
    ({ address, note }) => `  signed by a former operator, not valid until it is listed again: ${address}  ${note}`,
  )
  const payments = await readPayments(db, operators, 'pay')
  const paid = payments.map((payment) => `  ${describePayment(payment, contracts)}`)
  const open = await listOpenDecisions(context, ['list', 'pay'])
  return ok({
    text: [
      ...['Balances:', ...balances.map(({ account, symbol, amount }) => `  ${account}  ${amount} ${symbol}`)],
      ...describeOpenDecisions(open),
      ...['Addresses that may be paid to:', ...(addresses.length > 0 ? addresses : ['  none']), ...former],
      ...['Payments, the newest first:', ...(paid.length > 0 ? paid : ['  none'])],
    ].join('\n'),
    data: {
      balances,
      open,
      addresses: listed,
      lapsedAddresses: lapsed,
      payments: payments.map((payment) => paymentData(payment, contracts)),
    },
  })
}
