import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { examplePlanFile } from '@lode/scripts/server'
import pg from 'pg'
import { operatorsOf } from './operators.ts'
import type { BrowserStack } from './stack.ts'

type NoticeText = { readonly title: string; readonly body: readonly string[] }
type TranslatedNotice = { readonly en: NoticeText; readonly zh_tw: NoticeText; readonly zh_cn: NoticeText }

/** Publishes notices by SQL. Starting the command line for each would take longer than all of this. */
export async function publishNotices(stack: BrowserStack, notices: readonly TranslatedNotice[]): Promise<void> {
  const client = new pg.Client({ connectionString: stack.ownerUrl })
  await client.connect()
  for (const words of notices)
    await client.query('insert into lode.notice (words) values ($1)', [JSON.stringify(words)])
  await client.end()
}

/** Publishes, by two operators, a plan with another fee for USDT. */
export async function publishPlanWithFee(stack: BrowserStack, fee: string): Promise<void> {
  const plan = (await readFile(examplePlanFile, 'utf8')).replace('"fee": "1"', `"fee": "${fee}"`)
  const file = join(tmpdir(), `lode-${randomUUID()}.json`)
  await writeFile(file, plan)
  await operatorsOf(stack).publish(file)
  await rm(file)
}
