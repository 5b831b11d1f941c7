import { Command } from 'commander'
import { auditCommand, chainCommands } from './lode/books.ts'
import { helpCommands, noticeCommands } from './lode/content.ts'
import { dayCommands } from './lode/day.ts'
import { expertCommands } from './lode/expert.ts'
import { operatorCommands } from './lode/operator.ts'
import { partnerCommands } from './lode/partner.ts'
import { planCommands } from './lode/plan.ts'
import { accountCommands, setUpCommands } from './lode/set-up.ts'
import { suspenseCommands } from './lode/suspense.ts'
import { transferCommands } from './lode/transfer.ts'
import { treasuryCommands } from './lode/treasury.ts'
import { StartUpRefusal } from './start-up.ts'

/** The operator's command line. It connects as the owner of the database, and says in plain words what came of it. */
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

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(
    `${error instanceof StartUpRefusal ? error.message : error instanceof Error ? error.stack : error}\n`,
  )
  process.exitCode = 1
}
