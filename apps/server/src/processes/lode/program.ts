import { Command } from 'commander'
import { addAccountCommands } from './account.ts'
import { addAuditCommand, addChainCommands } from './audit-and-chain.ts'
import { addCorrectionCommands } from './correct.ts'
import { addDayCommands } from './day.ts'
import { addDecisionCommands } from './decision.ts'
import { addExpertCommands } from './expert.ts'
import { addHelpArticleCommands } from './help-articles.ts'
import { addMemberCommands } from './member.ts'
import { addNoticeCommands } from './notice.ts'
import { addOperatorCommands } from './operator.ts'
import { addPartnerCommands } from './partner.ts'
import { addPlanCommands } from './plan.ts'
import { addRestoredCommands } from './restored.ts'
import { addRoleAndJobCommands } from './role-and-job.ts'
import { addSetUpCommands } from './set-up.ts'
import { addStatusCommand } from './status.ts'
import { addSuspenseCommands } from './suspense.ts'
import { useJson } from './terminal.ts'
import { addTransferCommands } from './transfer.ts'
import { addTreasuryCommands } from './treasury.ts'
import { addVaultCommands } from './vault.ts'

/** The command line of operators and of the owner. DATABASE_URL says as which database role it connects. */
export function createProgram(): Command {
  // Positional: an option belongs to the command that it follows. `restored` and `restored acknowledge` both have --yes.
  const program = new Command('lode')
    .description('Set up and operate a Lode pool')
    .enablePositionalOptions()
    .showHelpAfterError('Add --help for the usage.')
  addStatusCommand(program)
  addSetUpCommands(program)
  addAccountCommands(program)
  addMemberCommands(program)
  addAuditCommand(program)
  addChainCommands(program)
  addRoleAndJobCommands(program)
  addRestoredCommands(program)
  addOperatorCommands(program)
  addDecisionCommands(program)
  addPlanCommands(program)
  addDayCommands(program)
  addTransferCommands(program)
  addSuspenseCommands(program)
  addTreasuryCommands(program)
  addVaultCommands(program)
  addCorrectionCommands(program)
  addExpertCommands(program)
  addPartnerCommands(program)
  addNoticeCommands(program)
  addHelpArticleCommands(program)
  addJsonOption(program)
  program.hook('preAction', (_program, command) => useJson(command.opts().json === true))
  return program
}

/** Every command that does something has the option --json. */
function addJsonOption(command: Command): void {
  for (const inner of command.commands) addJsonOption(inner)
  const isGroup = command.commands.length > 0 && command.name() !== 'restored'
  if (!isGroup && !command.options.some(({ long }) => long === '--json'))
    command.option('--json', 'print one JSON value for a program')
}
