import styles from './QrCode.module.css'
import { buildQrPath, encodeQrModules } from './qr.ts'

/**
 * Dark on white in both themes, because many scanners cannot read inverted codes. Without a text it draws a
 * placeholder.
 */
export function QrCode({ text, label }: { text: string | undefined; label: string }) {
  if (text === undefined) return <div className={styles.code} data-waiting="" aria-hidden="true" />
  const modules = encodeQrModules(text)
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={buildQrPath(modules)} />
    </svg>
  )
}
