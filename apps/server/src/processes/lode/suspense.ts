import { ok, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { listSuspense, proposeReturn, readPayments } from '../../modules/treasury/index.ts'
import { formatCoins, formatNumber } from '../../platform/config/pool-contracts.ts'
import { amountOrRefuse, assetOrRefuse } from './amounts.ts'
import { addSigningOptions, decide, type SigningOptions, wakeWorker } from './decide.ts'
import { describePayment, paymentData } from './describe-payment.ts'
import { describeOpenDecisions, listOpenDecisions } from './open-decisions.ts'
import type { Answer } from './terminal.ts'
import { addressOrRefuse, type PoolContext, withPool } from './with-database.ts'

export function addSuspenseCommands(program: Command): void {
  const suspense = program.command('suspense').description('deposits from addresses that are not registered')

  suspense
    .command('list')
    .description('show the deposits that wait for a registration, and those that were returned')
    .action(() => withPool(list))

  addSigningOptions(
    suspense
      .command('return')
      .argument('<address>', 'the sender’s address')
      .argument('<amount>')
      .argument('<symbol>')
      .argument('[note]', 'why')
      .description('send the money back to its sender; two operators sign'),
  ).action((address: string, amount: string, symbol: string, note: string | undefined, options: SigningOptions) => {
    const asset = assetOrRefuse(symbol)
    const to = addressOrRefuse(address)
    return withPool(async (context) => {
      const request = { symbol: asset, amount: amountOrRefuse(context.contracts, asset, amount), address: to, note }
      const proposal = await proposeReturn(context.db, context.contracts, request)
      if (!proposal.ok) return proposal
      return decide(context, proposal.value, options, {
        onSigned: wakeWorker,
        done: 'It will be returned: lode suspense list shows its state.',
        needsSigner: true,
      })
    })
  })
}

async function list(context: PoolContext): Promise<Result<Answer, string>> {
  const { db, operators, contracts } = context
  const suspense = await listSuspense(db)
  const waiting = suspense.map(({ address, asset, amount }) => `  ${address}  ${formatCoins(contracts, asset, amount)}`)
  const payments = await readPayments(db, operators, 'return')
  const returned = payments.map((payment) => `  ${describePayment(payment, contracts)}`)
  const open = await listOpenDecisions(context, ['return'])
  return ok({
    text: [
      ...['Waiting until the sender registers:', ...(waiting.length > 0 ? waiting : ['  nothing'])],
      ...describeOpenDecisions(open),
      ...['Returned, the newest first:', ...(returned.length > 0 ? returned : ['  nothing'])],
    ].join('\n'),
    data: {
      waiting: suspense.map(({ address, asset, amount }) => ({
        address,
        symbol: asset,
        amount: formatNumber(contracts, asset, amount),
      })),
      open,
      returned: payments.map((payment) => paymentData(payment, contracts)),
    },
  })
}
