import type { DataOf } from '@lode/wire'
import { useText } from '../../shared/i18n/index.ts'
import { Row, Rows } from '../../shared/ui/index.ts'

/** The network on which the wallet pays, and the coin of its fees. Coins on another network do not arrive. */
export function NetworkRow({ chain }: { chain: Pick<DataOf<'pool/chain'>, 'name' | 'currency'> | undefined }) {
  const t = useText()
  if (!chain) return null
  return (
    <Rows>
      <Row label={t('payment.network')}>
        {t('payment.networkAndCoin', { network: chain.name, currency: chain.currency.symbol })}
      </Row>
    </Rows>
  )
}
