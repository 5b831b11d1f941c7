import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { read } from '../../shared/api/index.ts'
import { placesOf } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Amount, Card } from '../../shared/ui/index.ts'
import { transferPath } from './paths.ts'
import { TransferStatePill } from './TransferStatePill.tsx'
import styles from './transfer.module.css'
import { transfersIn } from './transfer-press.ts'
import { isEnded } from './transfer-timeline.ts'

const MAX_SHOWN = 3

const runningTransfersIn = (page: DataOf<'order/list'> | undefined) =>
  page ? transfersIn(page).filter((order) => !isEnded(order)) : []

/** Transfers that have not ended. They are shown so that the member does not start a second one by mistake. */
export function RunningTransfers() {
  const t = useText()
  const { data } = useQuery({
    ...read('order/list', { type: '2', limit: '20' }),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: ({ state }) => (runningTransfersIn(state.data).length > 0 ? 10_000 : false),
  })
  const running = runningTransfersIn(data).slice(0, MAX_SHOWN)
  if (running.length === 0) return null
  return (
    <Card title={t('transfer.running')}>
      <ul className={styles.running}>
        {running.map((order) => (
          <li key={order.id}>
            <Link to={transferPath(order.id)} className={styles.runningOne}>
              <span className={styles.runningAmount}>
                <Amount value={order.amount} symbol={order.symbol} places={placesOf[order.symbol]} />
              </span>
              <TransferStatePill order={order} />
              <ChevronRight size={16} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
