import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumLaunch } from '../browser/chromium.ts'

/** `pnpm icons`: draws the app's icons for systems without SVG support, from the logo. Run it when the logo changes. */
const publicFolder = resolve(import.meta.dirname, '../../apps/web/public')
const mark = await readFile(resolve(publicFolder, 'mark.svg'), 'utf8')
/** Without rounded corners, for systems that round the corners themselves. */
const square = mark.replace(/ rx="\d+"/, '')
if (square === mark) throw new Error('The mark has no rounded ground any more')

/** A system may crop a maskable icon to a circle of four fifths of its width. The drawing stays inside it. */
const SAFE_SCALE = 0.86

const icons = [
  { name: '192', drawing: mark, size: 192, scale: 1 },
  { name: '512', drawing: mark, size: 512, scale: 1 },
  { name: 'apple-touch-180', drawing: square, size: 180, scale: 1 },
  { name: 'maskable-512', drawing: square, size: 512, scale: SAFE_SCALE },
]

const browser = await chromium.launch(chromiumLaunch)
try {
  const page = await browser.newPage()
  for (const { name, drawing, size, scale } of icons) {
    await page.setViewportSize({ width: size, height: size })
    const ground = /fill="(#[0-9A-F]{6})"/.exec(drawing)?.[1]
    const around = scale < 1 ? `background:${ground};` : ''
    await page.setContent(
      `<style>body{margin:0;${around}display:grid;place-items:center;height:100vh}svg{width:${size * scale}px}</style>${drawing}`,
    )
    const path = resolve(publicFolder, 'icons', `${name}.png`)
    await page.screenshot({ path, omitBackground: true })
    console.log(path)
  }
} finally {
  await browser.close()
}
