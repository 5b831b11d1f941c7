import { verify } from '@lode/contracts/verify'
import type { Command } from 'commander'
import { ExpectedFailure } from '../start-up.ts'
import { printAnswer, readTextFile } from './terminal.ts'
import { addAnnouncementsCommand, addDismissCommand } from './vault-announcements.ts'
import { addColdCommand } from './vault-cold.ts'
import { addFunderCommands } from './vault-funder.ts'
import { addMigrateCommand } from './vault-migrate.ts'
import { addPauseCommands } from './vault-pause.ts'
import { addRolesCommand } from './vault-show-roles.ts'
import { addressOrRefuse, operatorConfig } from './with-database.ts'

export function addVaultCommands(program: Command): void {
  const vault = program.command('vault').description('the pool’s vault on the chain, and what its administrator does')
  addRolesCommand(vault)
  addPauseCommands(vault)
  addColdCommand(vault)
  addFunderCommands(vault)
  addAnnouncementsCommand(vault)
  addDismissCommand(vault)
  addVerifyCommand(vault)
  addMigrateCommand(vault)
}

type VerifyOptions = { readonly vault?: string; readonly since?: string }

function addVerifyCommand(vault: Command): void {
  vault
    .command('verify')
    .argument('<url>', 'a node of your own choice')
    .argument('<file>', 'the terms by which the vault was deployed')
    .option('--vault <address>', 'another vault than that of the settings: the next one, before the pool moves there')
    .option('--since <block>', 'the block in which that vault was deployed')
    .description(
      'compare the vault’s code, roles, quote key, cold address and caps with the terms; exits with 1 if different',
    )
    .action(async (url: string, file: string, options: VerifyOptions) => {
      const differences = await compare(url, readTextFile(file), chooseVault(options))
      if (differences.length > 0) throw new ExpectedFailure(differences.join('\n'))
      printAnswer('The vault is as its terms say.')
    })
}

/** The vault of the settings, or the one that both options name. */
function chooseVault({ vault, since }: VerifyOptions): Parameters<typeof verify>[2] {
  const { vault: address, firstBlock } = operatorConfig().contracts
  if (vault === undefined && since === undefined) return { address, firstBlock }
  if (vault === undefined || since === undefined || !/^[1-9][0-9]{0,17}$/.test(since))
    throw new ExpectedFailure('Name another vault with both --vault ADDRESS and --since BLOCK.')
  return { address: addressOrRefuse(vault), firstBlock: BigInt(since) }
}

/** Both the file and the node come from the caller, so their errors are printed without a stack trace. */
async function compare(url: string, terms: string, vault: Parameters<typeof verify>[2]): Promise<string[]> {
  try {
    return await verify(url, JSON.parse(terms) as Parameters<typeof verify>[1], vault)
  } catch (error) {
    throw new ExpectedFailure(`Nothing was compared: ${error instanceof Error ? error.message : String(error)}`)
  }
}
