import { useState } from 'react'
import type { Address as AccountAddress } from 'viem'
import { logOut } from '../shared/api/index.ts'
import { unbrokenAddress } from '../shared/format/index.ts'
import { useText } from '../shared/i18n/index.ts'
import { Address, Button, Row, Rows, Sheet } from '../shared/ui/index.ts'
import styles from './AccountChanged.module.css'
import { chooseAccount } from './connection.ts'
import type { Wallet } from './discovery.ts'
import { Reminder } from './Reminder.tsx'

export type AccountChangedProps = { wallet: Wallet; account: AccountAddress; signedInAs: string }

/**
 * Shows the wallet's account and the session's account, and two ways to continue. After the member closes the sheet, a
 * reminder stays on the page until the two accounts are equal.
 */
export function AccountChanged({ wallet, account, signedInAs }: AccountChangedProps) {
  const t = useText()
  const [open, setOpen] = useState(true)
  const [waiting, setWaiting] = useState(false)

  function switchBack() {
    setWaiting(true)
    // Not every wallet has an account chooser. For the others, the text tells the member what to do.
    void chooseAccount(wallet.provider)
  }

  return (
    <>
      {!open && <Reminder onClick={() => setOpen(true)}>{t('wallets.accountChanged.banner')}</Reminder>}
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={t('wallets.accountChanged.title')}
        text={t('wallets.accountChanged.text')}
        foot={
          <>
            <Button onClick={switchBack}>{t('wallets.accountChanged.switchBack')}</Button>
            <Button tone="quiet" onClick={logOut}>
              {t('wallets.accountChanged.signInAsThis')}
            </Button>
          </>
        }
      >
        <Rows>
          <Row label={t('wallets.accountChanged.session')} stacked>
            <Address value={signedInAs} full />
          </Row>
          <Row label={t('wallets.accountChanged.wallet')} stacked>
            <Address value={account} full />
          </Row>
        </Rows>
        <p className={styles.waiting} role="status">
          {waiting && t('wallets.accountChanged.waiting', { account: unbrokenAddress(signedInAs) })}
        </p>
      </Sheet>
    </>
  )
}
