import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const PGBENCH = '/usr/lib/postgresql/15/bin/pgbench'

type Options = {
  readonly script: string
  readonly clients: number
  readonly length: { readonly seconds: number } | { readonly transactionsEach: number }
  readonly variables?: Readonly<Record<string, number>>
}

type Benched = {
  readonly perSecond: number
  /** The CPU time of pgbench itself, in milliseconds. */
  readonly clientMs: number
}

/** Every statement is prepared once for each connection. */
export async function pgbench(url: string, { script, clients, length, variables = {} }: Options): Promise<Benched> {
  const { stdout } = await run('sh', [
    // The shell's own stat record contains the CPU time of its child.
    ...['-c', '"$@" && cat /proc/$$/stat', 'sh', PGBENCH],
    ...['-n', '-M', 'prepared', '-c', String(clients), '-j', String(Math.min(clients, 2))],
    ...('seconds' in length ? ['-T', String(length.seconds)] : ['-t', String(length.transactionsEach)]),
    ...Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    ...['-f', script, url],
  ])
  const [user = 0, system = 0] = stdout.split(') ').at(-1)?.split(' ').slice(13, 15).map(Number) ?? []
  return { perSecond: Number(/tps = ([\d.]+)/.exec(stdout)?.[1]), clientMs: 10 * (user + system) }
}
