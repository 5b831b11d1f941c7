import styles from './NetPicture.module.css'

/** Lines from the center above to the centers of three columns below, at any width. */
export function ConnectingLines({ width, height }: { width: number; height: number }) {
  const [left, middle, right] = [width / 6, width / 2, (width * 5) / 6]
  const bend = height * 0.7
  return (
    <svg
      className={styles.veins}
      viewBox={`0 0 ${width} ${height}`}
      height={height}
      preserveAspectRatio="none"
      fill="none"
      aria-hidden="true"
    >
      {[left, middle, right].map((x) => (
        <path
          key={x}
          d={`M${middle} 0C${middle} ${bend} ${x} ${height - bend} ${x} ${height}`}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  )
}
