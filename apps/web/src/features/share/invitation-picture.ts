import { encodeQrModules } from '../../shared/qr/index.ts'

export type PictureTexts = {
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

/** Draws the invitation as a PNG. Null if the browser cannot draw it. `font` is the page's font family. */
export async function drawInvitationPicture(texts: PictureTexts, font: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const pen = canvas.getContext('2d')
  if (!pen) return null
  pen.fillStyle = PAPER.ground
  pen.fillRect(0, 0, WIDTH, HEIGHT)
  drawLogo(pen, WIDTH / 2, 90, 150)

  pen.textAlign = 'center'
  const write = (text: string, y: number, size: number, { weight = 400, color = PAPER.ink } = {}) => {
    pen.font = `${weight} ${size}px ${font}`
    pen.fillStyle = color
    return writeLines(pen, text, y, size)
  }
  let y = write(texts.app, 320, 60, { weight: 700 })
  y = write(texts.invitation, y + 22, 38, { color: PAPER.ink2 })
  y = drawQr(pen, texts.link, y + 24)
  y = write(texts.codeLabel, y + 64, 32, { color: PAPER.ink2 })
  y = write(texts.code, y + 40, 72, { weight: 700 })
  y = write(texts.link, y + 6, 30, { color: PAPER.ink2 })
  y = write(texts.inviter, y + 14, 32, { weight: 600 })
  write(texts.risk, y + 36, 28, { color: PAPER.ink2 })
  return new Promise((done) => canvas.toBlob(done, 'image/png'))
}

/** Writes a text in as many lines as it needs. Returns the y position of the next text. */
function writeLines(pen: CanvasRenderingContext2D, text: string, y: number, size: number): number {
  const LINE = 1.4
  let next = y
  for (const line of breakLines(text, WIDTH - 2 * MARGIN, (part) => pen.measureText(part).width)) {
    pen.fillText(line, WIDTH / 2, next)
    next += size * LINE
  }
  return next
}

/**
 * Breaks a text into lines, between words. A word that is too long can break anywhere. Chinese can break after every
 * character, but not before a punctuation mark.
 */
export function breakLines(text: string, width: number, widthOf: (part: string) => number): string[] {
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
  const modules = encodeQrModules(text)
  // Whole pixels for each module, so that the edges are sharp.
  const moduleSize = Math.floor(560 / modules.length)
  const side = moduleSize * modules.length
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
    for (const [x, dark] of row.entries())
      if (dark) pen.fillRect(left + x * moduleSize, top + y * moduleSize, moduleSize, moduleSize)
  return top + side
}

/** Draws the app's logo, `size` high. */
function drawLogo(pen: CanvasRenderingContext2D, center: number, top: number, size: number): void {
  pen.save()
  pen.translate(center - size / 2, top)
  pen.scale(size / 96, size / 96)
  pen.lineWidth = 6
  pen.lineCap = 'round'
  pen.strokeStyle = PAPER.lode
  for (const vein of ['M48 86V16', 'M48 70C30 62 20 46 18 24', 'M48 70c18-8 28-24 30-46']) pen.stroke(new Path2D(vein))
  pen.strokeStyle = PAPER.ink
  pen.stroke(new Path2D('M18 86h60'))
  pen.restore()
}
