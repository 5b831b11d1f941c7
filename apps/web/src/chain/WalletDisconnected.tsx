import { useState } from 'react'
import { logOut } from '../shared/api/index.ts'
import { useText } from '../shared/i18n/index.ts'
import { Button, Sheet } from '../shared/ui/index.ts'
import { connect } from './connection.ts'
import type { Wallet } from './discovery.ts'
import { Reminder } from './Reminder.tsx'

export type WalletDisconnectedProps = { wallet: Wallet }

/**
 * Shown when the wallet has ended the connection. After the member closes the sheet, a reminder stays on the page until
 * a wallet is connected again.
 */
export function WalletDisconnected({ wallet }: WalletDisconnectedProps) {
  const t = useText()
  const [open, setOpen] = useState(true)

  function reconnect() {
    setOpen(false)
    // The wallet reports the account by an event. If the member gives up, the reminder is still there.
    void connect(wallet.provider)
  }

  return (
    <>
      {!open && <Reminder onClick={() => setOpen(true)}>{t('wallets.disconnected.banner')}</Reminder>}
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={t('wallets.disconnected.title')}
        text={t('wallets.disconnected.text')}
        foot={
          <>
            <Button onClick={reconnect}>{t('wallets.disconnected.reconnect')}</Button>
            <Button tone="quiet" onClick={logOut}>
              {t('setting.logout')}
            </Button>
          </>
        }
      >
        {null}
      </Sheet>
    </>
  )
}
