import type { TestApi } from './api.ts'

/** How often argon2 ran, by purpose. Runs are counted, because measured time would depend on the machine. */
async function readArgon2Runs(api: TestApi): Promise<Record<string, number>> {
  const text = await (await api.fetch('/metrics')).text()
  const found = text.matchAll(/^lode_argon2_runs_total\{.*kind="(\w+)".*\} (\d+)$/gm)
  return Object.fromEntries(Array.from(found, ([, kind = '', count]) => [kind, Number(count)]))
}

/** Which argon2 runs a task caused, and how many. */
export async function countArgon2Runs(api: TestApi, task: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await readArgon2Runs(api)
  await task()
  const after = await readArgon2Runs(api)
  return Object.fromEntries(
    Object.entries(after).flatMap(([kind, count]) =>
      count === (before[kind] ?? 0) ? [] : [[kind, count - (before[kind] ?? 0)]],
    ),
  )
}
