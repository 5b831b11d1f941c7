import { shortAddress } from '../format/index.ts'
import { useText } from '../i18n/index.ts'
import styles from './Address.module.css'
import { CopyButton } from './CopyButton.tsx'
import { Skeleton } from './Skeleton.tsx'

const HALF_AN_ADDRESS = '0'.repeat(21)

type AddressProps = {
  value: string
  /** Shows every character, the ends in bold. It breaks only in the middle. */
  full?: boolean
}

/**
 * Shows every character in groups of four, to compare with another screen. The gaps are CSS only: copied text has none.
 */
export function SpelledAddress({ value }: { value: string }) {
  const groups = ['0x', ...(value.slice(2).match(/.{1,4}/g) ?? [])]
  return (
    <span className={styles.spelled}>
      {[groups.slice(0, 6), groups.slice(6)].map((half) => (
        <span key={half.join('')}>
          {half.map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two groups may be the same, and none ever moves
            <span key={index}>{group}</span>
          ))}
        </span>
      ))}
    </span>
  )
}

export function Address({ value, full = false }: AddressProps) {
  if (!full)
    return (
      <span className={styles.short} title={value}>
        {shortAddress(value)}
      </span>
    )
  return (
    <span className={styles.full}>
      <span>
        <b>{value.slice(0, 6)}</b>
        {value.slice(6, 21)}
      </span>
      <span>
        {value.slice(21, -4)}
        <b>{value.slice(-4)}</b>
      </span>
    </span>
  )
}

/** Another member is shown only by the end of its address. */
export function AddressTail({ value }: { value: string }) {
  return <span className={styles.short}>{`…${value}`}</span>
}

/** A full address with a label and a copy button. */
export function CopyableAddress({ label, value }: { label: string; value: string | undefined }) {
  const t = useText()
  return (
    <div>
      <div className={styles.head}>
        <p className={styles.label}>{label}</p>
        {value && <CopyButton text={value} label={t('common.copyAddress')} />}
      </div>
      {value ? (
        <Address value={value} full />
      ) : (
        <span className={styles.full}>
          <span>
            <Skeleton>{HALF_AN_ADDRESS}</Skeleton>
          </span>
          <span>
            <Skeleton>{HALF_AN_ADDRESS}</Skeleton>
          </span>
        </span>
      )}
    </div>
  )
}
