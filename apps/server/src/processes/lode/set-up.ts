import { ok, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { createRoot, disableAccount, enableAccount } from '../../modules/identity/index.ts'
import { migrate } from '../migrate.ts'
import { StartUpRefusal } from '../start-up.ts'
import { addressOrRefuse, ownerConfig, withDatabase } from './database.ts'
import { say } from './terminal.ts'

export function setUpCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the present schema')
    .option('--role-password <password>', 'give the login roles this password (not in production)')
    .action(async (options: { rolePassword?: string }) => {
      const { databaseUrl, profile } = ownerConfig()
      if (options.rolePassword !== undefined && profile === 'production')
        throw new StartUpRefusal('--role-password is for development and tests: in production give each role its own')
      const { migrations, functions } = await migrate({ ownerUrl: databaseUrl, profile, ...options })
      if (migrations.length > 0) say(`Applied: ${migrations.join(', ')}`)
      if (functions.length > 0) say(`Functions changed: ${functions.join(', ')}`)
      if (migrations.length + functions.length === 0) say('The database is up to date.')
    })

  program
    .command('root')
    .description('the first member, who is invited by nobody')
    .command('create')
    .argument('<address>')
    .description('make the first member and print its invitation code')
    .action((address: string) => {
      const account = addressOrRefuse(address)
      return withDatabase(async (db) => {
        const root = await createRoot(db, account)
        return root.ok ? ok(`Invitation code: ${root.value}`) : refused('There is another root already.')
      })
    })
}

export function accountCommands(program: Command): void {
  const account = program.command('account').description("members' accounts")

  account
    .command('disable')
    .argument('<address>')
    .description('end the sessions of an account and refuse its sign-in; it can still take its assets out')
    .action((address: string) => {
      const member = addressOrRefuse(address)
      return withDatabase(async (db) =>
        (await disableAccount(db, member)).ok ? ok(`${member} is disabled.`) : refused(`${member} is not registered.`),
      )
    })

  account
    .command('enable')
    .argument('<address>')
    .description('let a disabled account sign in again')
    .action((address: string) => {
      const member = addressOrRefuse(address)
      return withDatabase(async (db) =>
        (await enableAccount(db, member)).ok ? ok(`${member} is enabled.`) : refused(`${member} is not registered.`),
      )
    })
}
