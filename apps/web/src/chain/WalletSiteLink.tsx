import { ExternalLink } from 'lucide-react'
import styles from './WalletSiteLink.module.css'

type WalletSiteLinkProps = { href: string; onOpen?: () => void; children: string }

/** A link to a web page opens a new tab. A link into an app must not: an empty tab would stay behind. */
export function WalletSiteLink({ href, onOpen, children }: WalletSiteLinkProps) {
  const tab = href.startsWith('https:') ? { target: '_blank', rel: 'noopener noreferrer' } : {}
  return (
    <a className={styles.link} href={href} onClick={onOpen} {...tab}>
      {children}
      <ExternalLink size={16} color="var(--ink-2)" aria-hidden="true" />
    </a>
  )
}
