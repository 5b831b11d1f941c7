import { ok, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { createFirstMember } from '../../modules/identity/index.ts'
import { migrate } from '../migrate.ts'
import { ExpectedFailure } from '../start-up.ts'
import { print } from './terminal.ts'
import { addressOrRefuse, ownerConfig, withOwnerDatabase } from './with-database.ts'

export function addSetUpCommands(program: Command): void {
  program
    .command('migrate')
    .description('apply all missing migrations and all changed functions to the database')
    .option('--role-password <password>', 'give the login roles this password (not in production)')
    .action(async (options: { rolePassword?: string }) => {
      const { databaseUrl, profile } = ownerConfig()
      if (options.rolePassword !== undefined && profile === 'production')
        throw new ExpectedFailure('--role-password is for development and tests: in production give each role its own')
      const { migrations, functions } = await migrate({ ownerUrl: databaseUrl, profile, ...options })
      if (migrations.length > 0) print(`Applied: ${migrations.join(', ')}`)
      if (functions.length > 0) print(`Functions changed: ${functions.join(', ')}`)
      if (migrations.length + functions.length === 0) print('The database is up to date.')
    })

  program
    .command('root')
    .description('the first member, who is invited by nobody')
    .command('create')
    .argument('<address>')
    .description('make the first member and print its invitation code')
    .action((address: string) => {
      const account = addressOrRefuse(address)
      return withOwnerDatabase(async (db) => {
        const root = await createFirstMember(db, account)
        return root.ok ? ok(`Invitation code: ${root.value}`) : refused('There is another first member already.')
      })
    })
}
