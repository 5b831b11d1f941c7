import { ok, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { createFirstMember } from '../../modules/identity/index.ts'
import { migrate } from '../migrate.ts'
import { ExpectedFailure } from '../start-up.ts'
import { printAnswer } from './terminal.ts'
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
      const changes = [
        ...(migrations.length > 0 ? [`Applied: ${migrations.join(', ')}`] : []),
        ...(functions.length > 0 ? [`Functions changed: ${functions.join(', ')}`] : []),
      ]
      const text = changes.length > 0 ? changes.join('\n') : 'The database is up to date.'
      printAnswer({ text, data: { migrations, functions } })
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
