import { Command } from 'commander'
import { auditCommand, chainCommands } from './books.ts'
import { helpCommands, noticeCommands } from './content.ts'
import { dayCommands } from './day.ts'
import { expertCommands } from './expert.ts'
import { operatorCommands } from './operator.ts'
import { partnerCommands } from './partner.ts'
import { planCommands } from './plan.ts'
import { accountCommands, setUpCommands } from './set-up.ts'
import { suspenseCommands } from './suspense.ts'
import { transferCommands } from './transfer.ts'
import { treasuryCommands } from './treasury.ts'

/** The operators' command line. It connects as the owner of the database, and prints the outcome in plain words. */
export function createProgram(): Command {
  const program = new Command('lode').description('Set up and look after a Lode pool')
  setUpCommands(program)
  accountCommands(program)
  auditCommand(program)
  chainCommands(program)
  operatorCommands(program)
  planCommands(program)
  dayCommands(program)
  transferCommands(program)
  suspenseCommands(program)
  treasuryCommands(program)
  expertCommands(program)
  partnerCommands(program)
  noticeCommands(program)
  helpCommands(program)
  return program
}
