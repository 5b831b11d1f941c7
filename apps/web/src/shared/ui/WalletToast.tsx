import { type ReactNode, useEffect } from 'react'
import { createPortal } from 'react-dom'
import styles from './WalletToast.module.css'

const WALLET_TOAST_MS = 60_000

type WalletToastProps = {
  open: boolean
  /** Called after one minute. */
  onEnd: () => void
  /** Called for a tap anywhere. */
  onTap: () => void
  children: ReactNode
}

/** The pink toast for a browser without a wallet, over the dimmed app. A sheet may be drawn above its overlay. */
export function WalletToast({ open, onEnd, onTap, children }: WalletToastProps) {
  useEffect(() => {
    if (!open) return
    const timer = setTimeout(onEnd, WALLET_TOAST_MS)
    return () => clearTimeout(timer)
  }, [open, onEnd])

  if (!open) return null
  return createPortal(
    <button type="button" className={styles.overlay} onClick={onTap} tabIndex={-1}>
      <span className={styles.toast} role="alert">
        {children}
      </span>
    </button>,
    document.body,
  )
}
