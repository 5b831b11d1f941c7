import type { Asset } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'
import { unbrokenAddress } from '../../shared/format/index.ts'
import { type TextFunction, useText } from '../../shared/i18n/index.ts'
import { PoolLink } from '../../shared/pool/index.ts'
import { Address, CopyableAddress, Note, Row, Rows } from '../../shared/ui/index.ts'
import { CoinsLink } from '../explain/index.ts'
import { amountText, NetworkRow, NextSteps } from '../payment/index.ts'
import type { OrderWallet } from './use-order-wallet.ts'
import type { WalletObstacle } from './wallet-obstacle.ts'

type WalletPartProps = { wallet: OrderWallet; symbol: Asset; online: bigint; onLeave: () => void }

/** Who pays whom, and what the wallet will ask after the press. If the wallet cannot pay now, it says why. */
export function WalletPart({ wallet, symbol, online, onLeave }: WalletPartProps) {
  const t = useText()
  const { chain, requests, tooLittle, obstacle } = wallet
  if (!chain) return null
  const { decimals } = chain.tokens[symbol]
  if (tooLittle !== null)
    return (
      <>
        <NetworkRow chain={chain} />
        <Note tone="lode">
          <p>{t('order.form.walletShort', { amount: amountText({ symbol, units: tooLittle, decimals }) })}</p>
          <TimeToPay text={(time) => t('order.form.getFirst', { time, symbol })} />
        </Note>
        {symbol === 'BTN' && <PoolLink to="btnSource" />}
        <CoinsLink onLeave={onLeave} />
      </>
    )
  if (obstacle !== null)
    return (
      <>
        <NetworkRow chain={chain} />
        <Note tone="lode">
          <p>{obstacleText(t, obstacle, wallet.account, chain)}</p>
          <TimeToPay text={(time) => t('order.form.payLater', { time })} />
        </Note>
        {obstacle === 'no-fee' && <CoinsLink onLeave={onLeave} />}
      </>
    )
  if (!requests) return null
  return (
    <>
      <NetworkRow chain={chain} />
      <CopyableAddress label={t('deposit.to')} value={chain.vault} />
      <Rows>
        <Row label={t('deposit.from')}>
          <Address value={wallet.account} />
        </Row>
      </Rows>
      <NextSteps
        requests={requests}
        amount={amountText({ symbol, units: online, decimals })}
        last={t('order.settles', { count: chain.finalityMinutes })}
        allowed={requests.length === 1}
      />
    </>
  )
}

/** A sentence with the time in which an order must be paid. Draws nothing until the plan is read. */
function TimeToPay({ text }: { text: (time: string) => string }) {
  const t = useText()
  const { data: current } = useQuery({ ...read('plan/current', {}), meta: { quiet: true } })
  return current ? <p>{text(t('dao.minutes', { count: current.plan.quoteMinutes }))}</p> : null
}

function obstacleText(t: TextFunction, obstacle: WalletObstacle, account: string, chain: DataOf<'pool/chain'>): string {
  switch (obstacle) {
    case 'absent':
      return t('deposit.noWallet')
    case 'other-account':
      return t('payment.switchBack', { account: unbrokenAddress(account) })
    case 'other-network':
      return t('signIn.wrongNetwork', { network: chain.name })
    case 'no-fee':
      return t('deposit.noFee', { currency: chain.currency.symbol })
    case 'unreachable':
    case 'unread':
    case 'vault-paused':
      return t(`order.form.obstacles.${obstacle}`)
  }
}
