import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** Makes the server's log readable for a program. */
export const RECORDING_SETTINGS = { logging_collector: 'on', log_destination: 'jsonlog' }

type Statement = { readonly text: string; readonly parameters: readonly (string | null)[] }

/** Every statement that processes of this role send while `work` runs, in order. */
export async function recordStatements(
  owner: pg.Client,
  role: string,
  work: () => Promise<unknown>,
): Promise<Statement[]> {
  const reload = async (change: string) => {
    await owner.query(`alter system ${change}`)
    await owner.query('select pg_reload_conf()')
    await sleep(500)
  }
  await reload(`set log_statement = 'all'`)
  const before = (await readServerLog(owner)).length
  await work()
  await reload('reset log_statement')
  return (await readServerLog(owner)).slice(before).flatMap(({ user, message = '', detail = '' }) => {
    const text = user === role ? /^(?:statement|execute [^:]+): (.*)$/s.exec(message)?.[1] : undefined
    return text === undefined ? [] : [{ text, parameters: parametersIn(detail) }]
  })
}

type LogEntry = { readonly user?: string; readonly message?: string; readonly detail?: string }

async function readServerLog(owner: pg.Client): Promise<LogEntry[]> {
  const { rows } = await owner.query<{ text: string }>(`select pg_read_file(pg_current_logfile('jsonlog')) as text`)
  const lines = rows[0]?.text.split('\n') ?? []
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LogEntry)
}

/** Parses `Parameters: $1 = 'a', $2 = NULL`, in which quotes are doubled. */
function parametersIn(detail: string): (string | null)[] {
  return Array.from(detail.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g), ([, value]) =>
    value === undefined ? null : value.replaceAll("''", "'"),
  )
}

/**
 * Writes a pgbench script that sends these statements again for other members, with the same texts. A table has their
 * parameters, one row for each turn, which the script reads first: turn `first + client + clients × n`.
 */
export async function writeTurns(
  client: pg.Client,
  statements: readonly Statement[],
  turns: readonly ((parameter: string) => string)[],
): Promise<string> {
  const values = statements.flatMap(({ parameters }) => parameters.filter((value) => value !== null))
  const columns = values.map((_, place) => `p${place}`)
  await client.query(
    `create table public.turn (number int primary key, ${columns.map((name) => `${name} text`).join(', ')})`,
  )
  await client.query('grant select on public.turn to lode_api')
  const rows = turns.map((valueFor, number) =>
    JSON.stringify({ number, ...Object.fromEntries(values.map((value, place) => [`p${place}`, valueFor(value)])) }),
  )
  for (let at = 0; at < rows.length; at += 500)
    await client.query(`insert into public.turn select * from json_populate_recordset(null::public.turn, $1::json)`, [
      `[${rows.slice(at, at + 500).join()}]`,
    ])
  await client.query('analyze public.turn')

  let place = 0
  const sent = statements.map(({ text, parameters }) => {
    const names = parameters.map((value) => (value === null ? 'null' : `:p${place++}`))
    return `${text.trim().replace(/\$(\d+)/g, (_, number) => names[Number(number) - 1] ?? 'null')};`
  })
  const read = `select ${columns.join(', ')} from public.turn where number = :turn \\gset`
  return ['\\set turn :first + :client_id + :clients * :n', '\\set n :n + 1', read, ...sent, ''].join('\n')
}
