import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from '@lode/kernel'
import { type Language, languages } from '@lode/wire'
import type { Command } from 'commander'
import { type HelpFiles, importHelp, prepareNotice } from '../../modules/content/index.ts'
import { storeSignedText } from '../../modules/operators/index.ts'
import { ExpectedFailure } from '../start-up.ts'
import { addSigningOptions, decide, type SigningOptions, WORKER_DOES_IT, wakeWorker } from './decide.ts'
import { print, readTextFile } from './terminal.ts'
import { withOwnerDatabase, withPool } from './with-database.ts'

export function addNoticeCommands(program: Command): void {
  addSigningOptions(
    program
      .command('notice')
      .description('messages to all members')
      .command('publish')
      .argument('<file>', 'title and body in three languages, as JSON')
      .description('publish a notice to all members, for good; two operators sign, each with the same file'),
  ).action((file: string, options: SigningOptions) => {
    const notice = prepareNotice(readTextFile(file))
    if (!notice.ok) throw new ExpectedFailure(notice.error)
    const { proposal, text, words } = notice.value
    return withPool((context) => {
      for (const lang of languages)
        print(`${lang}: ${words[lang].title}`, ...words[lang].body.map((line) => `  ${line}`))
      return decide(context, proposal, options, {
        async onSigned(trx) {
          await storeSignedText(trx, text)
          return wakeWorker(trx)
        },
        done: WORKER_DOES_IT,
        waiting: 'It takes another operator: the same command with the same file and another key.',
      })
    })
  })
}

export function addHelpArticleCommands(program: Command): void {
  const help = program
    .command('help')
    .argument('[command...]', 'such as transfer list')
    .description('show the help of a command; help articles for members')
    .action((names: string[]) => findCommand(program, names).outputHelp())

  help
    .command('import')
    .argument('<folder>', `with the folders ${languages.join(', ')}, each with the same articles`)
    .description('replace all help articles with these')
    .action((folder: string) => {
      const files = helpFilesIn(folder)
      return withOwnerDatabase(async (db) => {
        const imported = await importHelp(db, files)
        return imported.ok ? ok(`Imported: ${imported.value} articles in ${languages.length} languages.`) : imported
      })
    })
}

function findCommand(program: Command, names: readonly string[]): Command {
  let found = program
  for (const name of names) {
    const inner = found.commands.find((command) => command.name() === name)
    if (!inner) throw new ExpectedFailure(`There is no command ${names.join(' ')}. Run: lode help`)
    found = inner
  }
  return found
}

const helpFilesIn = (folder: string): HelpFiles =>
  Object.fromEntries(languages.map((lang) => [lang, articlesIn(join(folder, lang))])) as Record<
    Language,
    Map<string, string>
  >

function articlesIn(folder: string): Map<string, string> {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    throw new ExpectedFailure(`${folder} cannot be read.`)
  }
  return new Map(names.filter((name) => name.endsWith('.md')).map((name) => [name, readTextFile(join(folder, name))]))
}
