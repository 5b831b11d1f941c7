import { ExternalLink } from 'lucide-react'
import { useChain } from '../api/index.ts'
import { useText } from '../i18n/index.ts'
import styles from './PoolLink.module.css'

/**
 * A link that the operators have set: how to reach them, or where BTN can be had. Nothing if they have set none. The
 * address is shown too, because some wallets' browsers open no links.
 */
export function PoolLink({ to }: { to: 'contact' | 'btnSource' }) {
  const t = useText()
  const { data: chain } = useChain()
  const url = to === 'contact' ? chain?.contactUrl : chain?.btnSourceUrl
  if (!url) return null
  return (
    <a className={styles.link} href={url} target="_blank" rel="noreferrer">
      <span>
        {t(`common.poolLink.${to}`)}
        <span className={styles.address}>{url.replace(/^(mailto:|https:\/\/)/, '')}</span>
      </span>
      <ExternalLink size={16} aria-hidden="true" />
    </a>
  )
}
