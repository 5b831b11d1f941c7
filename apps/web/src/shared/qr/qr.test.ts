import { decodeQR } from 'qr/decode.js'
import { expect, it } from 'vitest'
import { buildQrPath, encodeQrModules } from './qr.ts'

const LINK = 'https://pool.example/regist?invite=7QK2M9X4'

/** A picture as a camera sees it: four pixels a module, black on white. */
function picture(isDark: (x: number, y: number) => boolean, size: number) {
  const POINTS = 4
  const width = size * POINTS
  const data = new Uint8Array(width * width * 4).fill(255)
  for (let y = 0; y < width; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (isDark(Math.floor(x / POINTS), Math.floor(y / POINTS)))
        data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  return { width, height: width, data }
}

it('a scanner reads the link from the QR code', () => {
  const modules = encodeQrModules(LINK)
  expect(decodeQR(picture((x, y) => modules[y]?.[x] ?? false, modules.length))).toBe(LINK)
})

it('the SVG path of a QR code draws exactly its dark modules', () => {
  const modules = encodeQrModules(LINK)
  const drawn = new Set<string>()
  for (const [, x, y, length] of buildQrPath(modules).matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g))
    for (let step = 0; step < Number(length); step += 1) drawn.add(`${Number(x) + step} ${y}`)
  expect(decodeQR(picture((x, y) => drawn.has(`${x} ${y}`), modules.length))).toBe(LINK)
  expect(drawn.size).toBe(modules.flat().filter(Boolean).length)
})
