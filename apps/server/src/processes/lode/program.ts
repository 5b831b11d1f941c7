import { Command } from 'commander'
import { addAuditCommand, addChainCommands } from './audit-and-chain.ts'
import { addHelpArticleCommands, addNoticeCommands } from './content.ts'
import { addCorrectionCommands } from './correct.ts'
import { addDayCommands } from './day.ts'
import { addExpertCommands } from './expert.ts'
import { addOperatorCommands } from './operator.ts'
import { addPartnerCommands } from './partner.ts'
import { addPlanCommands } from './plan.ts'
import { addAccountCommands, addSetUpCommands } from './set-up.ts'
import { addSuspenseCommands } from './suspense.ts'
import { addTransferCommands } from './transfer.ts'
import { addTreasuryCommands } from './treasury.ts'

/** The command line of operators and of the owner. DATABASE_URL says as which database role it connects. */
export function createProgram(): Command {
  const program = new Command('lode').description('Set up and operate a Lode pool')
  addSetUpCommands(program)
  addAccountCommands(program)
  addAuditCommand(program)
  addChainCommands(program)
  addOperatorCommands(program)
  addPlanCommands(program)
  addDayCommands(program)
  addTransferCommands(program)
  addSuspenseCommands(program)
  addTreasuryCommands(program)
  addCorrectionCommands(program)
  addExpertCommands(program)
  addPartnerCommands(program)
  addNoticeCommands(program)
  addHelpArticleCommands(program)
  return program
}
