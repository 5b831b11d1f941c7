import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const { API_PORT = '3000', WEB_PORT = '5173', CHAIN_RPC_URL = 'http://127.0.0.1:8545' } = process.env

/** Writes a file beside the manifest that lists which sources went into which output file. `pnpm size` reads it. */
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

/**
 * Compresses the files once, at the highest level, instead of at every request. The server sends these files as they
 * are.
 */
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

/**
 * Leaves the summaries of the routes and their lists of refusals out of the build. Only the server and the API reference
 * read them, and they would be 3 kB of the first paint.
 */
const withoutRouteSummaries: Plugin = {
  name: 'without-route-summaries',
  enforce: 'pre',
  apply: 'build',
  transform: (code, id) =>
    /\/wire\/src\/routes\/\w+\.ts$/.test(id)
      ? { code: code.replace(/\bsummary:\s*'[^'\n]*',|\brefusals:\s*\[[^\]]*\],/g, ''), map: null }
      : null,
}

export default defineConfig({
  // WalletConnect's modal window, which is not installed: the app has a sheet of its own.
  resolve: { alias: { '@reown/appkit/core': join(import.meta.dirname, 'src/chain/walletconnect/no-modal.ts') } },
  plugins: [react(), withoutRouteSummaries, chunkSources, compressed],
  server: {
    host: '127.0.0.1',
    port: Number(WEB_PORT),
    strictPort: true,
    proxy: {
      '/api': `http://127.0.0.1:${API_PORT}`,
      // The development wallet reaches the chain through this path, because the page may only call its own origin.
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
    // Without this setting, a browser that has no modulepreload gets `preload` instead.
    modulePreload: { polyfill: false },
    // The Content Security Policy allows neither data: scripts nor inline styles, so small files are not inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Changes with the dependencies and not with the app's code, so a returning member does not load it again.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
            // What nearly every screen needs, in one file instead of one a component. Not included: sheets and dialogs,
            // whose 30 kB nobody needs before the first one opens; languages, which have their own files; and code for
            // amounts, lists and files, which nobody needs before the login.
            {
              name: 'shared',
              test: /\/src\/shared\/(?!i18n\/texts\/|command\/|press\/|pool\/|list\/|record\/|csv\/|qr\/|handover\/|ui\/(Amount|AmountField|Avatar|Columns|ConfirmDialog|File\w+|HandedFileNote|ListEnd|NoteActions|Pair|PasswordField|Pill|RefreshButton|Rows|Segmented|ShareBar|Sheet|StaleNote|TabbedView|TextSheet|TextToCopy|use-close-on-back)\.)/,
              priority: 1,
            },
            // What nearly every screen after the login needs. It loads with the navigation.
            {
              name: 'member-screens',
              test: /\/src\/shared\/ui\/(Amount|Columns|NoteActions|Pair|PasswordField|Pill|RefreshButton|Rows|Segmented|StaleNote)\./,
              priority: 1,
            },
            // What the forms that move money need: small files, each used by all of these forms. In one file they have
            // 1 kB less.
            { name: 'money-forms', test: /\/src\/shared\/(press\/|pool\/|ui\/AmountField\.)/, priority: 1 },
            // Small parts of the first paint that would each be a file of less than 1 kB.
            {
              name: 'shared',
              test: /\/react-router\/|\/lucide-react\/dist\/esm\/icons\/(chevron-right|diamond|wallet)\.|\/features\/(deposit|order)\/(deposit|order)-sheet-state\.ts$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
})
