import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { PROCESS_ROLES, setRolePassword } from '../../platform/db/roles.ts'
import { readFailedJobs } from '../../platform/jobs/failed-jobs.ts'
import { ExpectedFailure } from '../start-up.ts'
import { readNewPassword } from './terminal.ts'
import { formatUtc } from './times.ts'
import { withOwnerDatabase } from './with-database.ts'

const MIN_PASSWORD_LENGTH = 16

export function addRoleAndJobCommands(program: Command): void {
  program
    .command('role')
    .description('the roles with which the processes connect to the database')
    .command('password')
    .argument('<role>', PROCESS_ROLES.join(', '))
    .description('set the password of a role; asks twice, or reads one line from standard input; only for the owner')
    .action(async (name: string) => {
      const role = PROCESS_ROLES.find((one) => one === name)
      if (!role) throw new ExpectedFailure(`${name} is not a role that logs in. Choose: ${PROCESS_ROLES.join(', ')}`)
      const password = checkPassword(await readNewPassword(`A new password for ${role}: `))
      if (!password.ok) throw new ExpectedFailure(password.error)
      await withOwnerDatabase(async (db) => {
        await setRolePassword(db, role, password.value)
        return ok(
          `${role} has a new password. Start its process again with the new DATABASE_URL: open connections continue until then.`,
        )
      })
    })

  program
    .command('job')
    .description('the jobs of the worker')
    .command('list')
    .description('the jobs that failed their last try, the newest first; only for the owner of the database')
    .action(() =>
      withOwnerDatabase(async (db) => {
        const jobs = await readFailedJobs(db)
        const lines = jobs.map(({ task, at, error }) => `${formatUtc(at)}  ${task}\n    ${error}`)
        return ok({
          text: lines.length > 0 ? lines.join('\n') : 'No job has failed its last try since 03:00 UTC.',
          data: { jobs },
        })
      }),
    )
}

function checkPassword(text: string): Result<string, string> {
  if (text.length < MIN_PASSWORD_LENGTH) return refused(`It needs at least ${MIN_PASSWORD_LENGTH} characters.`)
  return /^[\x21-\x7e]+$/.test(text)
    ? ok(text)
    : refused('Use only letters, digits and signs of ASCII, without spaces.')
}
