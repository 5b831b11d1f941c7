import { ok, type Result, refused } from '@lode/kernel'
import { Command } from 'commander'
import type { Address } from 'viem'
import { resumeChain, rewindChain } from '../modules/custody/index.ts'
import { createRoot, disableAccount, enableAccount, parseAccount } from '../modules/identity/index.ts'
import { audit, reportText } from '../modules/ledger/index.ts'
import { type OwnerConfig, readOwnerConfig } from '../platform/config/config.ts'
import { connectDatabase, type Database } from '../platform/db/database.ts'
import { migrate } from '../platform/db/migrate.ts'
import { checkDatabase, configOrRefuse, StartUpRefusal } from './start-up.ts'

/** The operator's command line. It connects as the owner of the database, and says in plain words what came of it. */
const program = new Command('lode').description('Set up and look after a Lode pool')

program
  .command('migrate')
  .description('bring the database to the present schema')
  .option('--role-password <password>', 'give the login roles this password (not in production)')
  .action(async (options: { rolePassword?: string }) => {
    const { databaseUrl, profile } = ownerConfig()
    if (options.rolePassword !== undefined && profile === 'production')
      throw new StartUpRefusal('--role-password is for development and tests: in production give each role its own')
    const applied = await migrate({ ownerUrl: databaseUrl, profile, ...options })
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`)
  })

program
  .command('root')
  .description('the first member, who is invited by nobody')
  .command('create')
  .argument('<address>')
  .description('make the first member and print its invitation code')
  .action((address: string) =>
    withAccount(address, async (db, account) => {
      const root = await createRoot(db, account)
      return root.ok ? ok(`Invitation code: ${root.value}`) : refused('There is another root already.')
    }),
  )

const account = program.command('account').description("members' accounts")

account
  .command('disable')
  .argument('<address>')
  .description('end the sessions of an account and refuse its sign-in; it can still take its assets out')
  .action((address: string) =>
    withAccount(address, async (db, member) =>
      (await disableAccount(db, member)).ok ? ok(`${member} is disabled.`) : refused(`${member} is not registered.`),
    ),
  )

account
  .command('enable')
  .argument('<address>')
  .description('let a disabled account sign in again')
  .action((address: string) =>
    withAccount(address, async (db, member) =>
      (await enableAccount(db, member)).ok ? ok(`${member} is enabled.`) : refused(`${member} is not registered.`),
    ),
  )

program
  .command('audit')
  .description('replay the whole ledger and say whether anything in it is wrong')
  .option('--seal <hash>', 'a seal that was noted before: it must still be in the chain')
  .action(async ({ seal }: { seal?: string }) => {
    if (seal !== undefined && !/^[0-9a-f]{64}$/i.test(seal))
      throw new StartUpRefusal(`${seal} is not a seal: that is 64 hexadecimal digits.`)
    const { databaseUrl, profile } = ownerConfig()
    const { db, close } = connectDatabase(databaseUrl, { name: 'lode audit', max: 1, patient: true })
    try {
      await checkDatabase(db, profile)
      const report = await audit(db, seal === undefined ? {} : { seal })
      console.log(reportText(report))
      if (report.findings.length > 0) process.exitCode = 1
    } finally {
      await close()
    }
  })

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

const ownerConfig = (): OwnerConfig => configOrRefuse(readOwnerConfig(process.env))

async function withAccount(
  address: string,
  action: (db: Database, account: Address) => Promise<Result<string, string>>,
): Promise<void> {
  const account = parseAccount(address)
  if (!account) throw new StartUpRefusal(`${address} is not the address of a wallet.`)
  await withDatabase((db) => action(db, account))
}

async function withDatabase(action: (db: Database) => Promise<Result<string, string>>): Promise<void> {
  const { databaseUrl, profile } = ownerConfig()
  const { db, close } = connectDatabase(databaseUrl, { name: 'lode', max: 1 })
  try {
    await checkDatabase(db, profile)
    const result = await action(db)
    if (!result.ok) throw new StartUpRefusal(result.error)
    console.log(result.value)
  } finally {
    await close()
  }
}

try {
  await program.parseAsync()
} catch (error) {
  console.error(error instanceof StartUpRefusal ? error.message : error)
  process.exitCode = 1
}
