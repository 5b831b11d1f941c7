import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { inUtc } from '../../modules/operators/index.ts'
import {
  isTreasuryAccount,
  listAddress,
  listingQuestion,
  listings,
  paymentQuestion,
  payments,
  treasuryAccounts,
} from '../../modules/treasury/index.ts'
import { amountOrRefuse, assetOrRefuse } from './amounts.ts'
import { addressOrRefuse, type PoolContext, withPool } from './database.ts'
import { decide, type SigningOptions, signing, wakeWorker } from './decide.ts'
import { paymentWords } from './payment-words.ts'

export function treasuryCommands(program: Command): void {
  const treasury = program.command('treasury').description('what the pool pays from its own accounts')

  signing(
    treasury
      .command('address')
      .argument('<address>')
      .argument('[note]', 'whose it is, and what for')
      .description('list an address that may be paid to, 48 hours after the second operator has signed'),
  ).action((address: string, note: string | undefined, options: SigningOptions) => {
    const listed = addressOrRefuse(address)
    return withPool(async (context) => {
      const question = await listingQuestion(context.db, context.contracts, { address: listed, note })
      if (!question.ok) return question
      return decide(context, question.value, options, {
        alsoDo: async (inside, { id, complete }) => (complete ? listAddress(inside, id, listed) : ok(null)),
        done: 'It can be paid to 48 hours from now, and for a year.',
      })
    })
  })

  treasury
    .command('list')
    .description('the addresses, and what was paid')
    .action(() => withPool(list))

  signing(
    treasury
      .command('pay')
      .argument('<from>', Object.keys(treasuryAccounts).join(', '))
      .argument('<amount>')
      .argument('<address>')
      .argument('<evidence>', 'what for; members read it')
      .option('--symbol <symbol>', 'of pool:operations, which holds all three')
      .description('pay from an account of the pool’s own; two operators sign'),
  ).action(
    (from: string, amount: string, address: string, evidence: string, options: SigningOptions & { symbol?: string }) =>
      withPool((context) => pay(context, { from, amount, address, evidence }, options)),
  )
}

async function pay(
  context: PoolContext,
  { from, amount, address, evidence }: Readonly<Record<'from' | 'amount' | 'address' | 'evidence', string>>,
  { symbol: given, ...options }: SigningOptions & { symbol?: string },
): Promise<Result<string, string>> {
  if (!isTreasuryAccount(from)) return refused(`${from} is none of ${Object.keys(treasuryAccounts).join(', ')}.`)
  const [only, ...others] = treasuryAccounts[from]
  const symbol = given === undefined ? only : assetOrRefuse(given)
  if (given === undefined && others.length > 0) return refused(`${from} holds more than one: say --symbol.`)
  const { db, operators, contracts } = context
  const asked = { from, symbol, amount: amountOrRefuse(contracts, symbol, amount), address: addressOrRefuse(address) }
  const question = await paymentQuestion(db, { operators, contracts }, { ...asked, evidence })
  if (!question.ok) return question
  return decide(context, question.value, options, {
    alsoDo: wakeWorker,
    done: 'It will be paid: lode treasury list shows how it goes.',
    bySigner: true,
  })
}

async function list({ db, operators, contracts }: PoolContext): Promise<Result<string, string>> {
  const addresses = (await listings(db, operators)).map(({ address, note, payableFrom, until }) =>
    payableFrom
      ? `  ${address}  from ${inUtc(payableFrom)} until ${inUtc(until)}: ${note}`
      : `  ${address}  waits for a second operator: ${note}`,
  )
  const paid = (await payments(db, operators, 'pay')).map((payment) => `  ${paymentWords(payment, contracts)}`)
  return ok(
    [
      ...['Addresses that may be paid to:', ...(addresses.length > 0 ? addresses : ['  none'])],
      ...['Payments, the newest first:', ...(paid.length > 0 ? paid : ['  none'])],
    ].join('\n'),
  )
}
