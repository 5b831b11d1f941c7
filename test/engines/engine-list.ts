import { chromiumLaunch } from '../browser/chromium.ts'
import { limitNode, limitToWebView } from '../browser/wallet-webview.ts'
import type { Engine } from './engine.ts'
import { startFirefox } from './firefox.ts'
import { type ChromiumPackage, oldChromium } from './old-chromium.ts'
import { startChromium } from './playwright-engine.ts'
import { startWebKit } from './webkit.ts'

const oldEngine = (name: string, chromium: ChromiumPackage): Engine => ({
  name,
  start: async (wallet) =>
    startChromium(
      {
        executablePath: await oldChromium(chromium),
        args: [...chromiumLaunch.args, '--no-zygote', '--use-gl=swiftshader'],
      },
      wallet,
    ),
})

/** The engines of `pnpm engines`, oldest first. docs/browsers.md explains the choice. */
export const engines: readonly Engine[] = [
  oldEngine('chromium-103', {
    version: '103.0.0',
    integrity: 'sha512-tFX5k5uWAT0fIxelUtpN4GN1VOTT61AHB6rRjeYzC296SjizKM1pNslEWj0YeuajKfsnNeDuHizB320TTTOrkA==',
  }),
  oldEngine('chromium-109', {
    version: '109.0.6',
    integrity: 'sha512-9hTE03DXnrWTiGNpfjLfmGhIfmiVAerSPinDb+x5bBdM4KF4PMM1NZ0A+V7WKazoA+CasSX/osHK8K0MuO6uqg==',
  }),
  { name: 'chromium-present', start: (wallet) => startChromium(chromiumLaunch, wallet) },
  { name: 'firefox', start: startFirefox },
  { name: 'webkit', start: startWebKit },
  {
    name: 'wallet-webview',
    start: (wallet) => {
      limitNode(wallet)
      return startChromium(chromiumLaunch, wallet, limitToWebView)
    },
  },
]
