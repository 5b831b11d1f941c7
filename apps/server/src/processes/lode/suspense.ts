import { ok, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { payments, returnQuestion, waitingInSuspense } from '../../modules/treasury/index.ts'
import { amountOrRefuse, assetOrRefuse, inCoins } from './amounts.ts'
import { addressOrRefuse, type PoolContext, withPool } from './database.ts'
import { decide, type SigningOptions, signing, wakeWorker } from './decide.ts'
import { paymentWords } from './payment-words.ts'

export function suspenseCommands(program: Command): void {
  const suspense = program.command('suspense').description('what came from addresses that nobody registered')

  suspense
    .command('list')
    .description('what waits, and what was returned')
    .action(() => withPool(list))

  signing(
    suspense
      .command('return')
      .argument('<address>', 'that it came from')
      .argument('<amount>')
      .argument('<symbol>')
      .argument('[note]', 'why')
      .description('send it back to the address that it came from; two operators sign'),
  ).action((address: string, amount: string, symbol: string, note: string | undefined, options: SigningOptions) => {
    const asset = assetOrRefuse(symbol)
    const to = addressOrRefuse(address)
    return withPool(async (context) => {
      const asked = { symbol: asset, amount: amountOrRefuse(context.contracts, asset, amount), address: to, note }
      const question = await returnQuestion(context.db, context.contracts, asked)
      if (!question.ok) return question
      return decide(context, question.value, options, {
        alsoDo: wakeWorker,
        done: 'It will be returned: lode suspense list shows how it goes.',
        bySigner: true,
      })
    })
  })
}

async function list({ db, operators, contracts }: PoolContext): Promise<Result<string, string>> {
  const waiting = (await waitingInSuspense(db)).map(
    ({ address, asset, amount }) => `  ${address}  ${inCoins(contracts, asset, amount)}`,
  )
  const returned = (await payments(db, operators, 'return')).map((payment) => `  ${paymentWords(payment, contracts)}`)
  return ok(
    [
      ...['What waits for whoever registers:', ...(waiting.length > 0 ? waiting : ['  nothing'])],
      ...['What was returned, the newest first:', ...(returned.length > 0 ? returned : ['  nothing'])],
    ].join('\n'),
  )
}
