import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { keepAssets } from './kept-assets.ts'

let api: TestApi
let folder: string
let root: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lode-web-'))
  // A parent folder named `assets`, which must not be taken for the one inside the build.
  root = join(folder, 'assets', 'dist')
  await mkdir(join(root, 'assets'), { recursive: true })
  await writeFile(join(root, 'index.html'), '<!doctype html><title>Lode</title>')
  await writeFile(join(root, 'theme.js'), 'document')
  await writeFile(join(root, 'assets', 'app-3f9c1d.js'), 'export {}')
  await writeFile(join(root, '.env'), 'hidden')
  await writeFile(join(folder, 'assets', 'secret.txt'), 'outside of the web root')
  api = await startTestApi({ WEB_ROOT: root, CHAIN_PUBLIC_RPC_URL: 'https://rpc.example/v1/key' })
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('the web app', () => {
  it.each(['/', '/login', '/regist?invite=7QK2M9X4', '/setting/transfer', '/apiary'])(
    'is the same page at every address that a browser opens: %s',
    async (path) => {
      const response = await api.fetch(path, { headers: navigation })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^text\/html/)
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(await response.text()).toContain('<title>Lode</title>')
    },
  )

  it('has a content security policy without inline scripts, inline styles or eval', async () => {
    const policies = new Map(
      ((await api.fetch('/login', { headers: navigation })).headers.get('content-security-policy') ?? '')
        .split(';')
        .map((directive) => directive.trim().split(/ (.*)/))
        .map(([name, value]) => [name, value]),
    )
    expect(Object.fromEntries(policies)).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'connect-src': "'self' https://rpc.example",
      'manifest-src': "'self'",
      'worker-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
    })
  })

  it('allows the relay of WalletConnect only if the pool offers WalletConnect', async () => {
    const offering = await startTestApi({
      WEB_ROOT: root,
      CHAIN_PUBLIC_RPC_URL: 'https://rpc.example/v1/key',
      WALLETCONNECT_PROJECT_ID: '0123456789abcdef0123456789abcdef',
    })
    try {
      const policy = (await offering.fetch('/login', { headers: navigation })).headers.get('content-security-policy')
      expect(policy).toContain("connect-src 'self' https://rpc.example wss://relay.walletconnect.org;")
      expect((await offering.call('pool/chain', {})).body.data.walletConnect).toEqual({
        projectId: '0123456789abcdef0123456789abcdef',
        relayUrl: 'wss://relay.walletconnect.org',
      })
    } finally {
      await offering.close()
    }
    expect((await api.call('pool/chain', {})).body.data.walletConnect).toBeNull()
  })

  it('caches hashed files for a year and revalidates the others', async () => {
    const hashed = await api.fetch('/assets/app-3f9c1d.js')
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(hashed.headers.get('content-type')).toMatch(/javascript/)
    const plain = await api.fetch('/theme.js')
    expect(plain.headers.get('cache-control')).toBe('no-cache')
    const etag = plain.headers.get('etag') ?? ''
    expect((await rawGet(api.url, '/theme.js', { 'if-none-match': etag })).status).toBe(304)
  })

  it.each([
    ['a missing script', '/assets/app-000000.js', { accept: '*/*' }],
    ['a missing script that is requested as a page', '/assets/app-000000.js', navigation],
    ['a page that is requested as JSON', '/login', { accept: 'application/json' }],
    ['an unknown route of the api', '/api/nothing', navigation],
    ['a hidden file', '/.env', { accept: '*/*' }],
  ])('does not answer with the page for %s', async (_what, path, headers) => {
    const response = await api.fetch(path, { headers })
    expect([response.status, (await response.json()) as object]).toMatchObject([404, { reason: 'not-found' }])
  })

  it.each(['/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/assets/..%5c..%5csecret.txt', '//etc/passwd'])(
    'serves no file outside its folder: %s',
    async (path) => {
      const { status, text } = await rawGet(api.url, path)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toContain('outside of the web root')
      expect(text).not.toContain('root:')
    },
  )
})

describe('the assets of an earlier build', () => {
  /** Starts an api of a build with these assets, as a deployment does. */
  async function deploy(build: string, assets: Readonly<Record<string, string>>): Promise<TestApi> {
    const webRoot = join(folder, build)
    await mkdir(join(webRoot, 'assets'), { recursive: true })
    await writeFile(join(webRoot, 'index.html'), `<!doctype html><title>${build}</title>`)
    for (const [name, text] of Object.entries(assets)) await writeFile(join(webRoot, 'assets', name), text)
    return startTestApi({ WEB_ROOT: webRoot, WEB_KEPT_ROOT: keptRoot })
  }
  const keptRoot = join(tmpdir(), `lode-kept-${process.pid}`)
  afterAll(() => rm(keptRoot, { recursive: true, force: true }))

  it('can be loaded for a week after its last api, from old and new apis, and the page is always the present one', async () => {
    const first = await deploy('first', { 'home-aaaaaa.js': 'first', 'shared-cccccc.js': 'both' })
    const second = await deploy('second', { 'home-bbbbbb.js': 'second', 'shared-cccccc.js': 'both' })
    try {
      for (const [api, page] of [
        [first, 'first'],
        [second, 'second'],
      ] as const) {
        for (const [name, text] of [
          ['home-aaaaaa.js', 'first'],
          ['home-bbbbbb.js', 'second'],
          ['shared-cccccc.js', 'both'],
        ]) {
          const response = await api.fetch(`/assets/${name}`)
          expect([response.status, await response.text()]).toEqual([200, text])
          expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        }
        expect((await api.fetch('/assets/home-000000.js')).status).toBe(404)
        expect(await (await api.fetch('/home', { headers: navigation })).text()).toContain(page)
      }
    } finally {
      await first.close()
      await second.close()
    }

    const keepAt = (days: number) =>
      keepAssets({
        webRoot: join(folder, 'second'),
        keptRoot,
        now: new Date(Date.now() + days * 24 * 3_600_000),
      })
    const all = ['home-aaaaaa.js', 'home-bbbbbb.js', 'shared-cccccc.js']
    await keepAt(6.9)
    expect((await readdir(join(keptRoot, 'assets'))).sort()).toEqual(all)
    await keepAt(7.1)
    expect((await readdir(join(keptRoot, 'assets'))).sort()).toEqual(all.slice(1))
  })

  it('is not kept, and stops nothing, if its folder cannot be written', async () => {
    const inTheWay = join(folder, 'a-file')
    await writeFile(inTheWay, '')
    const api = await startTestApi({ WEB_ROOT: root, WEB_KEPT_ROOT: join(inTheWay, 'kept') })
    try {
      expect((await api.fetch('/assets/app-3f9c1d.js')).status).toBe(200)
      expect((await api.fetch('/assets/app-000000.js')).status).toBe(404)
    } finally {
      await api.close()
    }
  })
})

/** fetch() would normalize the path, and it bypasses caches. */
const rawGet = (url: string, path: string, headers = {}): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    request({ hostname, port, path, headers: { accept: '*/*', ...headers } }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
      .on('error', reject)
      .end()
  })
