import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from '@lode/kernel'
import { type Language, languages } from '@lode/wire'
import type { Command } from 'commander'
import { type HelpFiles, importHelp, publishNotice } from '../../modules/content/index.ts'
import { ExpectedFailure } from '../start-up.ts'
import { readTextFile } from './terminal.ts'
import { withOwnerDatabase } from './with-database.ts'

export function addNoticeCommands(program: Command): void {
  program
    .command('notice')
    .description('messages to all members')
    .command('publish')
    .argument('<file>', 'title and body in three languages, as JSON')
    .description('publish a notice to all members; it cannot be removed, only corrected by another one')
    .action((file: string) => {
      const text = readTextFile(file)
      return withOwnerDatabase(async (db) => {
        const published = await publishNotice(db, text)
        return published.ok ? ok(`Published as number ${published.value.id}: ${published.value.title}`) : published
      })
    })
}

export function addHelpArticleCommands(program: Command): void {
  program
    .command('help')
    .description('help articles')
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
