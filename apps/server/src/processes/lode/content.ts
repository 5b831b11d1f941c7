import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from '@lode/kernel'
import { type Language, languages } from '@lode/wire'
import type { Command } from 'commander'
import { type HelpFiles, importHelp, publishNotice } from '../../modules/content/index.ts'
import { StartUpRefusal } from '../start-up.ts'
import { withDatabase } from './database.ts'
import { fileText } from './terminal.ts'

export function noticeCommands(program: Command): void {
  program
    .command('notice')
    .description('what members are told')
    .command('publish')
    .argument('<file>', 'title and body in three languages, as JSON')
    .description('tell every member; it cannot be taken back, only put right by another')
    .action((file: string) => {
      const text = fileText(file)
      return withDatabase(async (db) => {
        const published = await publishNotice(db, text)
        return published.ok ? ok(`Published as number ${published.value.id}: ${published.value.title}`) : published
      })
    })
}

export function helpCommands(program: Command): void {
  program
    .command('help')
    .description('the articles of the help')
    .command('import')
    .argument('<folder>', `with ${languages.join(', ')}, each with the same articles`)
    .description('put these articles in the place of those that are there')
    .action((folder: string) => {
      const files = helpFilesIn(folder)
      return withDatabase(async (db) => {
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
    throw new StartUpRefusal(`${folder} cannot be read.`)
  }
  return new Map(names.filter((name) => name.endsWith('.md')).map((name) => [name, fileText(join(folder, name))]))
}
