import { encodeQR } from 'qr'

/** The width of the empty margin, in modules. */
const QUIET_ZONE = 4

/** The modules by rows, true if dark, with the empty margin. Scanners can read it with a seventh of it hidden. */
export const encodeQrModules = (text: string): readonly (readonly boolean[])[] =>
  encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })

/**
 * The dark modules as one SVG path, one unit each. Runs in a row are drawn as one bar, so that no gaps show between
 * modules.
 */
export function buildQrPath(modules: readonly (readonly boolean[])[]): string {
  return modules
    .flatMap((row, y) =>
      row.flatMap((dark, x) => (dark && !row[x - 1] ? [`M${x} ${y}h${row.indexOf(false, x) - x}v1H${x}z`] : [])),
    )
    .join('')
}
