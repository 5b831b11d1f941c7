import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const { API_PORT = '3000', WEB_PORT = '5173', CHAIN_RPC_URL = 'http://127.0.0.1:8545' } = process.env

/**
 * Writes which source loads what and which sources went into which file, for `pnpm size`. The bundler's own manifest does
 * not name the sources that its groups have moved into a common file.
 */
const buildParts: Plugin = {
  name: 'build-parts',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      const sourceOf = (id: string) => relative(import.meta.dirname, id)
      const parts: Record<string, object> = {}
      for (const { fileName: file, imports, moduleIds, viteMetadata } of chunks) {
        const part = { file, imports, css: Array.from(viteMetadata?.importedCss ?? []) }
        parts[file] = part
        for (const id of moduleIds) {
          if (this.getModuleInfo(id)?.dynamicImporters.length) parts[sourceOf(id)] = { ...part, isDynamicEntry: true }
        }
      }
      const sources = Object.fromEntries(chunks.map(({ fileName, moduleIds }) => [fileName, moduleIds.map(sourceOf)]))
      for (const [name, content] of Object.entries({ parts, sources }))
        this.emitFile({ type: 'asset', fileName: `.vite/${name}.json`, source: JSON.stringify(content, null, 2) })
    },
  },
}

/**
 * Makes the entry's file the only script of the page, and the files that it imports preloads. Vite writes a script for
 * each file if the entry is in a group. The app recognizes a new build by the name of the script.
 */
const oneEntryScript: Plugin = {
  name: 'one-entry-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replace(
        /<script type="module" crossorigin src="(\/assets\/(?!index-)[^"]+)"><\/script>/g,
        '<link rel="modulepreload" crossorigin href="$1">',
      ),
  },
}

/** The sources whose files prepaint.js begins to load, and the attributes that name these files. */
const preloadedParts = {
  'data-home': 'src/features/home/index.ts',
  'data-sign-in': 'src/features/sign-in/index.ts',
  'data-texts-en': 'src/shared/i18n/texts/en.ts',
  'data-texts-zh-tw': 'src/shared/i18n/texts/zh_tw.ts',
  'data-texts-zh-cn': 'src/shared/i18n/texts/zh_cn.ts',
  'data-member-texts-en': 'src/shared/i18n/texts/member/en.ts',
  'data-member-texts-zh-tw': 'src/shared/i18n/texts/member/zh_tw.ts',
  'data-member-texts-zh-cn': 'src/shared/i18n/texts/member/zh_cn.ts',
}

/** Tells prepaint.js the names of the files that the first page needs. */
const preloadNames: Plugin = {
  name: 'preload-names',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      const attributes = Object.entries(preloadedParts).map(([attribute, source]) => {
        const id = join(import.meta.dirname, source)
        const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(id))
        if (!chunk) throw new Error(`No file of the build contains ${source}`)
        return `${attribute}="/${chunk.fileName}"`
      })
      return html.replace('<script src="/prepaint.js">', `<script src="/prepaint.js" ${attributes.join(' ')}>`)
    },
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

/** Sources of Home and its navigation, without those that sign-in pages need too. */
const homeSources = [
  /\/src\/app\/(Navigation|SideBar|TabBar|sections)\./,
  /\/src\/features\/(home|production)\//,
  /\/src\/features\/explain\/(CoinsLink|HelpLink|explain)\./,
  /\/src\/features\/notice\/(NoticeBar|NoticeBell|notice-text|read-state|unread-text|use-notices)\./,
  /\/src\/features\/profile\/(ActivatedPill|IdentityRows|SettingLink|use-profile)\./,
  /\/src\/features\/wallet\/(HiddenNote|OldPrices|PeriodPicker|TotalValue|price-age)\./,
  /\/src\/shared\/(clock|press)\/|\/src\/shared\/pool\/PoolLink\.|\/src\/shared\/list\/loaded-pages-key\./,
  /\/src\/shared\/ui\/(Address|Amount|Avatar|Columns|CopyButton|Loaded|Pill|Rows|Skeleton|StaleNote|TransactionLink|own-amounts)\./,
  /\/lucide-react\/dist\/esm\/icons\/(arrow-down-left|arrow-up-right|bell|chevrons-up|circle-question-mark|cloud-off|diamond|eye|eye-off|house|megaphone|network|settings|user-plus)\./,
]

const isOfHome = (id: string): boolean => homeSources.some((source) => source.test(id))

/** Sources that the app needs before any page, or that sign-in pages and Home share. */
const everyPageSources = [
  /\/src\/shared\/(api|clipboard|format|notify|parts|report|routing|session|theme)\//,
  /\/src\/shared\/i18n\/[^/]+$/,
  /\/src\/shared\/ui\/(Button|Card|CopyByHand|Field|IconButton|LanguageSelect|LoadingOverlay|Logo|Note|Select|StateNote|Steps|TopBar|View|form-tried)\./,
  /\/src\/features\/(deposit|order)\/(lazy-)?(deposit|order)-sheet(-state)?\.ts$/,
  /\/src\/app\/views\.ts$|\/src\/app\/\w+(\.module)?\.css$|\/src\/main\.tsx$/,
  /\/lucide-react\/dist\/esm\/icons\/(check|chevron-down|chevron-left|chevron-right|copy|external-link|wallet|x)\./,
  /\/react-router\//,
]

/**
 * Parts whose styles are too small for files of their own. Two of them load some seconds after the first paint, and
 * Vite reports a style sheet that is missing then, without a network, as an error that nobody can catch.
 */
const smallStyles = /\/src\/(features\/sign-in\/sign-in|shared\/toaster\/Toaster|chain\/WalletSiteLink)\.module\.css$/

const isOfEveryPage = (id: string): boolean =>
  everyPageSources.some((source) => source.test(id)) || smallStyles.test(id) || (isOfHome(id) && id.endsWith('.css'))

export default defineConfig({
  // WalletConnect's modal window, which is not installed: the app has a sheet of its own.
  resolve: { alias: { '@reown/appkit/core': join(import.meta.dirname, 'src/chain/walletconnect/no-modal.ts') } },
  plugins: [react(), withoutRouteSummaries, buildParts, oneEntryScript, preloadNames, compressed],
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
    // Without this setting, a browser that has no modulepreload gets `preload` instead.
    modulePreload: { polyfill: false },
    // The Content Security Policy allows neither data: scripts nor inline styles, so small files are not inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Changes with the dependencies and not with the app's code, so a returning member does not load it again.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\/|rolldown\/runtime/, priority: 4 },
            // What every page needs, and the styles of Home and of the sign-in, which are too small for files of their own.
            { name: 'index', test: isOfEveryPage, priority: 3 },
            // What Home needs beyond that, in one file instead of fifty. Most members see Home first, and the other
            // pages need most of it too.
            { name: 'home', test: isOfHome, priority: 2 },
            // Finding and watching a wallet, for the sign-in pages and for a member's session.
            { name: 'chain', test: /\/src\/chain\/(index|WalletWatch)\./, priority: 1 },
            // What the forms that move money need: small files, each used by all of these forms.
            { name: 'money-forms', test: /\/src\/shared\/(press\/|pool\/|ui\/AmountField\.)/, priority: 1 },
          ],
        },
      },
    },
  },
})
