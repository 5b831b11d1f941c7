import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const { API_PORT = '3000', WEB_PORT = '5173', CHAIN_RPC_URL = 'http://127.0.0.1:8545' } = process.env

/** Beside the manifest, which sources went into which file: the check of sizes tells by it what a file holds. */
const chunkSources: Plugin = {
  name: 'chunk-sources',
  apply: 'build',
  generateBundle(_options, bundle) {
    const sources = Object.values(bundle)
      .filter((output) => output.type === 'chunk')
      .map(({ fileName, moduleIds }) => [fileName, moduleIds.map((id) => relative(import.meta.dirname, id))])
    this.emitFile({
      type: 'asset',
      fileName: '.vite/sources.json',
      source: JSON.stringify(Object.fromEntries(sources), null, 2),
    })
  },
}

/** Compressed once here, as small as it gets, and not again at every request: the server sends these files as they are. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  async closeBundle() {
    const { outDir } = this.environment.config.build
    const folder = join(import.meta.dirname, outDir)
    for (const name of await readdir(folder, { recursive: true })) {
      if (!/\.(?:js|css|html|svg|webmanifest)$/.test(name)) continue
      const plain = await readFile(join(folder, name))
      await writeFile(join(folder, `${name}.gz`), gzipSync(plain, { level: 9 }))
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
      await writeFile(join(folder, `${name}.br`), brotliCompressSync(plain, { params }))
    }
  },
}

export default defineConfig({
  plugins: [react(), chunkSources, compressed],
  server: {
    host: '127.0.0.1',
    port: Number(WEB_PORT),
    strictPort: true,
    proxy: {
      '/api': `http://127.0.0.1:${API_PORT}`,
      // The development wallet speaks to the chain through here, for the page may only call its own origin.
      '/dev-rpc': {
        target: CHAIN_RPC_URL.split(',')[0] ?? CHAIN_RPC_URL,
        changeOrigin: true,
        rewrite: (path) => path.replace(/^\/dev-rpc/, ''),
      },
    },
  },
  build: {
    // The browser floor, see docs/browsers.md. Newer syntax and CSS is lowered to it; newer functions are not.
    target: ['chrome103', 'safari15.4', 'firefox102'],
    manifest: true,
    // Without it, a browser that has no modulepreload gets `preload` instead.
    modulePreload: { polyfill: false },
    // The security policy allows neither data: scripts nor inline styles; small files stay files.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Changes with our dependencies and not with our code, so a returning member does not fetch it again.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
            // What nearly every screen stands on, in one file instead of one a component. Sheets and dialogs bring 30 kB
            // that nobody needs before the first one opens, each language is a file of its own, and nobody enters amounts,
            // scrolls through a list or saves a file before the login.
            {
              name: 'shared',
              test: /\/src\/shared\/(?!i18n\/texts\/|command\/|press\/|pool\/|list\/|csv\/|handover\/|ui\/(AmountField|Avatar|ConfirmDialog|File\w+|HandedNote|ListEnd|ShareBar|Sheet|TabbedView|TextSheet|TextToCopy|use-back-closes)\.)/,
              priority: 1,
            },
            // What the forms that move money stand on: small files, each wanted by all of those forms. In one file they
            // weigh 1 kB less.
            { name: 'money-forms', test: /\/src\/shared\/(press\/|pool\/|ui\/AmountField\.)/, priority: 1 },
            // Small parts of the first paint that would each be a file of less than 1 kB.
            {
              name: 'shared',
              test: /\/react-router\/|\/lucide-react\/dist\/esm\/icons\/(chevron-right|diamond|wallet)\.|\/features\/(deposit|order)\/sheet\.ts$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
})
