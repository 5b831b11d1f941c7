import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findHeadings } from '@lode/scripts/check-docs'
import { describe, expect, it } from 'vitest'
import { readAlertRules } from './read-alert-rules.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const rules = readAlertRules(read('ops/alerts.yaml'))
/** Each test has the name of its rule, and ends where the next one begins. */
const tests = new Map(
  read('ops/alerts.test.yaml')
    .split(/^ {2}- name: /m)
    .slice(1)
    .map((text) => [text.split('\n')[0] ?? '', text]),
)

describe('the rules of the alarms', () => {
  it('are accepted by Prometheus, and Alertmanager accepts its settings', async () => {
    expect((await run('promtool', ['check', 'rules', 'alerts.yaml'], { cwd: join(root, 'ops') })).stdout).toContain(
      `SUCCESS: ${rules.length} rules found`,
    )
    await run('amtool', ['check-config', 'alertmanager.yaml'], { cwd: join(root, 'ops') })
  })

  it('can call a telephone with the settings that the page shows', async () => {
    const [example = ''] = /^ {4}route:\n(?: {4}.*\n)+/m.exec(read('docs/cluster.md')) ?? []
    const folder = mkdtempSync(join(tmpdir(), 'lode-alertmanager-'))
    writeFileSync(join(folder, 'alertmanager.yaml'), example.replaceAll(/^ {4}/gm, ''))
    const { stdout } = await run('amtool', ['check-config', 'alertmanager.yaml'], { cwd: folder })
    expect(stdout).toContain('2 receivers')
    rmSync(folder, { recursive: true })
  })

  it('each stay quiet, and ring when they must', { timeout: 180_000 }, async () => {
    const { stdout } = await run('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd: join(root, 'ops') })
    expect(stdout).toContain('SUCCESS')
    expect(Array.from(tests.keys())).toEqual(rules.map(({ name }) => name))
    for (const [name, text] of tests) {
      const asked = Array.from(text.matchAll(/alertname="(\w+)"/g), ([, alarm]) => alarm)
      const values = Array.from(text.matchAll(/exp_samples: .*value: (\d)/g), ([, value]) => value)
      expect({ name, asked, values }).toEqual({ name, asked: [name, name], values: ['0', '1'] })
    }
  })

  it.each(rules)('$name says how urgent it is, what happened, and where to read what to do', (rule) => {
    expect(rule).toMatchObject({
      for: expect.stringMatching(/^\d+[smh]$/),
      urgency: expect.stringMatching(/^(urgent|today)$/),
      summary: expect.stringMatching(/\.$/),
    })
    const [page = '', anchor = ''] = rule.runbook.split('#')
    expect(Array.from(findHeadings(read(page)))).toContain(anchor)
  })

  it('are all in the table of the page, with the same urgency', () => {
    const [, section = ''] = read('docs/cluster.md').split('\n## Alarms\n')
    const rows = Array.from(section.matchAll(/^\| ([A-Z]\w+) \| (\w+) \|/gm), ([, name, urgency]) => ({
      name,
      urgency,
    }))
    expect(rows).toEqual(rules.map(({ name, urgency }) => ({ name, urgency })))
  })
})
