import styles from './Avatar.module.css'

/**
 * Three bars whose heights come from the end of the address. Different members look different, and no image is loaded.
 */
export function Avatar({ account, size }: { account: string; size: number }) {
  const heights = [-6, -4, -2].map((from) => {
    const value = Number.parseInt(account.slice(from, from + 2 || undefined), 16)
    return 7 + (Number.isNaN(value) ? 0 : (value / 255) * 13)
  })
  return (
    <svg className={styles.avatar} width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      {heights.map((height, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: left, center and right never change places
          key={index}
          className={styles.vein}
          x={10.5 + index * 7}
          y={30 - height}
          width={5}
          height={height}
          rx={2.5}
        />
      ))}
    </svg>
  )
}
