import { ok, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { resumeChain, rewindChain } from '../../modules/custody/index.ts'
import { audit, reportText } from '../../modules/ledger/index.ts'
import { orderFindings } from '../../modules/orders/index.ts'
import { partnerFindings } from '../../modules/partner/index.ts'
import { pledgeFindings } from '../../modules/pledge/index.ts'
import { promotionFindings } from '../../modules/promotion/index.ts'
import { teamFindings } from '../../modules/team/index.ts'
import { connectDatabase } from '../../platform/db/database.ts'
import { checkDatabase, StartUpRefusal } from '../start-up.ts'
import { ownerConfig, withDatabase } from './database.ts'
import { say } from './terminal.ts'

export function auditCommand(program: Command): void {
  program
    .command('audit')
    .description(
      'replay the whole ledger, and say whether anything in it, the team, orders, rewards, appointments or pledges is wrong',
    )
    .option('--seal <hash>', 'a seal that was noted before: it must still be in the chain')
    .action(async ({ seal }: { seal?: string }) => {
      if (seal !== undefined && !/^[0-9a-f]{64}$/i.test(seal))
        throw new StartUpRefusal(`${seal} is not a seal: that is 64 hexadecimal digits.`)
      const { databaseUrl, profile } = ownerConfig()
      const { db, close } = connectDatabase(databaseUrl, { name: 'lode audit', max: 1, patient: true })
      try {
        await checkDatabase(db, profile)
        const report = await audit(db, seal === undefined ? {} : { seal })
        const besides = [
          ...(await teamFindings(db)),
          ...(await orderFindings(db)),
          ...(await promotionFindings(db)),
          ...(await partnerFindings(db)),
          ...(await pledgeFindings(db)),
        ]
        say(reportText(report, besides))
        if (report.findings.length + besides.length > 0) process.exitCode = 1
      } finally {
        await close()
      }
    })
}

export function chainCommands(program: Command): void {
  const chain = program.command('chain').description('what the worker makes of the chain')

  chain
    .command('resume')
    .description('let money be credited again, when you have found out why it was stopped and put it right')
    .action(() =>
      withDatabase(async (db) => {
        const reason = await resumeChain(db)
        return ok(reason === null ? 'Nothing had been stopped.' : `Resumed. It had been stopped because: ${reason}`)
      }),
    )

  chain
    .command('rewind')
    .argument('<block>')
    .description('let the worker read the chain again from an earlier block; what is in the books stays there once')
    .action((block: string) => {
      if (!/^(0|[1-9][0-9]{0,17})$/.test(block)) throw new StartUpRefusal(`${block} is not the number of a block.`)
      return withDatabase(async (db) => {
        const was = await rewindChain(db, BigInt(block))
        return was === null
          ? refused(`Nothing after block ${block} is posted.`)
          : ok(`Set back from block ${was}: the worker reads again what comes after block ${block}.`)
      })
    })
}
