import { ChevronRight, Wallet as WalletIcon } from 'lucide-react'
import type { Wallet } from '../../chain/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Card } from '../../shared/ui/index.ts'
import styles from './sign-in.module.css'
import { walletName } from './wallet-name.ts'

type WalletListProps = { title: string; wallets: readonly Wallet[]; onChoose: (wallet: Wallet) => void }

export function WalletList({ title, wallets, onChoose }: WalletListProps) {
  const t = useText()
  if (wallets.length === 0) return null
  return (
    <Card title={title}>
      <ul className={styles.wallets}>
        {wallets.map((wallet) => (
          <li key={wallet.id}>
            <button type="button" className={styles.wallet} onClick={() => onChoose(wallet)}>
              <WalletPicture wallet={wallet} />
              <span className={styles.walletName}>{walletName(t, wallet)}</span>
              <ChevronRight size={18} color="var(--ink-2)" aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function WalletPicture({ wallet }: { wallet: Wallet }) {
  return (
    <span className={styles.walletPicture} aria-hidden="true">
      {wallet.icon ? <img src={wallet.icon} alt="" width={36} height={36} /> : <WalletIcon size={20} />}
    </span>
  )
}
