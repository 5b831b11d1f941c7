import { qrModules } from './qr.ts'

export type PictureWords = {
  readonly app: string
  readonly invitation: string
  readonly inviter: string
  readonly codeLabel: string
  readonly code: string
  readonly link: string
  readonly risk: string
}

const WIDTH = 1080
const HEIGHT = 1560
const MARGIN = 90
/** Always the colors of the light theme, because the picture is viewed outside the app. */
const PAPER = {
  ground: '#f6f4ef',
  surface: '#ffffff',
  ink: '#1a1d21',
  ink2: '#5b616a',
  line: '#e4e0d8',
  lode: '#a24e0a',
}

/** The invitation as a picture to save or send. `font` is the page's font family. */
export async function drawPicture(words: PictureWords, font: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const pen = canvas.getContext('2d')
  if (!pen) return null
  pen.fillStyle = PAPER.ground
  pen.fillRect(0, 0, WIDTH, HEIGHT)
  drawMark(pen, WIDTH / 2, 90, 150)

  pen.textAlign = 'center'
  const write = (text: string, y: number, size: number, { weight = 400, colour = PAPER.ink } = {}) => {
    pen.font = `${weight} ${size}px ${font}`
    pen.fillStyle = colour
    return writeLines(pen, text, y, size)
  }
  let y = write(words.app, 320, 60, { weight: 700 })
  y = write(words.invitation, y + 22, 38, { colour: PAPER.ink2 })
  y = drawQr(pen, words.link, y + 24)
  y = write(words.codeLabel, y + 64, 32, { colour: PAPER.ink2 })
  y = write(words.code, y + 40, 72, { weight: 700 })
  y = write(words.link, y + 6, 30, { colour: PAPER.ink2 })
  y = write(words.inviter, y + 14, 32, { weight: 600 })
  write(words.risk, y + 36, 28, { colour: PAPER.ink2 })
  return new Promise((done) => canvas.toBlob(done, 'image/png'))
}

/** Writes a text in as many lines as it needs. Returns the y position of the next text. */
function writeLines(pen: CanvasRenderingContext2D, text: string, y: number, size: number): number {
  const LINE = 1.4
  let next = y
  for (const line of linesOf(text, WIDTH - 2 * MARGIN, (part) => pen.measureText(part).width)) {
    pen.fillText(line, WIDTH / 2, next)
    next += size * LINE
  }
  return next
}

/**
 * Breaks a text into lines, between words. A word that is too long, and Chinese, can break between any two characters.
 */
export function linesOf(text: string, width: number, widthOf: (part: string) => number): string[] {
  const parts = text.match(/[\p{Script=Han}][，。、；：？！」』）]*|\s+|[^\s\p{Script=Han}]+/gu) ?? []
  const pieces = parts.flatMap((part) => (widthOf(part) > width ? Array.from(part) : [part]))
  const lines: string[] = []
  let line = ''
  for (const piece of pieces) {
    if (line !== '' && widthOf((line + piece).trimEnd()) > width) {
      lines.push(line.trimEnd())
      line = piece.trimStart()
    } else line += piece
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}

function drawQr(pen: CanvasRenderingContext2D, text: string, top: number): number {
  const modules = qrModules(text)
  // Whole pixels for each module, so that the edges are sharp.
  const point = Math.floor(560 / modules.length)
  const side = point * modules.length
  const left = Math.round((WIDTH - side) / 2)
  pen.fillStyle = PAPER.surface
  pen.strokeStyle = PAPER.line
  pen.lineWidth = 2
  pen.beginPath()
  pen.roundRect(left, top, side, side, 32)
  pen.fill()
  pen.stroke()
  pen.fillStyle = PAPER.ink
  for (const [y, row] of modules.entries())
    for (const [x, dark] of row.entries()) if (dark) pen.fillRect(left + x * point, top + y * point, point, point)
  return top + side
}

/** Draws the app's logo, `size` high. */
function drawMark(pen: CanvasRenderingContext2D, centre: number, top: number, size: number): void {
  pen.save()
  pen.translate(centre - size / 2, top)
  pen.scale(size / 96, size / 96)
  pen.lineWidth = 6
  pen.lineCap = 'round'
  pen.strokeStyle = PAPER.lode
  for (const vein of ['M48 86V16', 'M48 70C30 62 20 46 18 24', 'M48 70c18-8 28-24 30-46']) pen.stroke(new Path2D(vein))
  pen.strokeStyle = PAPER.ink
  pen.stroke(new Path2D('M18 86h60'))
  pen.restore()
}
