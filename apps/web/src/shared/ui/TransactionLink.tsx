import { ExternalLink } from 'lucide-react'
import { explorerPage, shortAddress } from '../format/index.ts'
import { useText } from '../i18n/index.ts'
import { CopyButton } from './CopyButton.tsx'
import styles from './TransactionLink.module.css'

/** A link to a transaction on the chain's explorer. If the pool has no explorer, its hash as text. */
export function TransactionLink({ hash, explorerUrl }: { hash: string; explorerUrl: string | null }) {
  const t = useText()
  return (
    <span className={styles.transaction}>
      {explorerUrl === null ? (
        <span className={styles.hash}>{shortAddress(hash)}</span>
      ) : (
        <a
          className={styles.link}
          href={explorerPage(explorerUrl, 'tx', hash)}
          target="_blank"
          rel="noreferrer"
          aria-label={t('wallet.onExplorer', { hash: shortAddress(hash) })}
        >
          <span className={styles.hash}>{shortAddress(hash)}</span>
          <ExternalLink size={16} aria-hidden="true" />
        </a>
      )}
      <CopyButton text={hash} label={t('wallet.copyHash')} />
    </span>
  )
}
