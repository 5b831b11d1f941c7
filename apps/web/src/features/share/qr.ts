import { encodeQR } from 'qr'

/** As many modules as must stay empty around it. */
const QUIET_ZONE = 4

/** Its modules by rows, dark or not, the quiet zone among them. A phone reads it with a seventh of it hidden. */
export const qrModules = (text: string): readonly (readonly boolean[])[] =>
  encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })

/** The dark modules as one path, a unit each: runs of a row are drawn as one bar, so that no hairline shows between them. */
export function qrPath(modules: readonly (readonly boolean[])[]): string {
  return modules
    .flatMap((row, y) =>
      row.flatMap((dark, x) => (dark && !row[x - 1] ? [`M${x} ${y}h${row.indexOf(false, x) - x}v1H${x}z`] : [])),
    )
    .join('')
}
