import type { Asset } from '@lode/kernel'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { isZero, wholePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { RecordSheet } from '../../shared/record/index.ts'
import { Amount, Row } from '../../shared/ui/index.ts'
import { showOrder } from '../order/index.ts'
import { ProgressRow } from '../transfer/index.ts'
import { DividendDays } from './DividendDays.tsx'
import styles from './LineSheet.module.css'
import { findOwnOrder } from './own-order.ts'
import { typeText } from './type-text.ts'
import type { WalletLogLine } from './use-log.ts'

type LineSheetProps = { symbol: Asset; line: WalletLogLine; onClose: () => void }

/** All that is known about one line of the log. */
export function LineSheet({ symbol, line, onClose }: LineSheetProps) {
  const t = useText()
  const { type, status, direction, amount, fee, at, endedAt, balanceAfter, tx, id } = line
  const order = findOwnOrder(line)
  const isWaitingTransfer = type === 'transferOut' && status === 'confirming'
  return (
    <RecordSheet
      {...{ symbol, amount, at, endedAt, balanceAfter, tx, onClose }}
      title={typeText(t, type)}
      sign={direction === 'out' ? '−' : '+'}
      status={t(`wallet.statuses.${status}`)}
      rows={
        <>
          {isWaitingTransfer && order && <ProgressRow id={order.id} />}
          {!isZero(fee) && (
            <Row label={t('wallet.fee')}>
              <Amount value={fee} symbol={symbol} places={wholePlaces(symbol)} />
            </Row>
          )}
          {type === 'pointReward' && <DividendDays line={line} />}
        </>
      }
      noBalance={t('wallet.detail.notFinal')}
      noTransaction={t(isWaitingTransfer ? 'wallet.detail.notSentYet' : 'wallet.detail.noTransaction')}
      reference={id}
    >
      {type === 'pointReward' && (
        <Link className={styles.order} to="/pledge/detail?show=days" onClick={onClose}>
          {t('wallet.detail.toDays')}
          <ChevronRight size={18} aria-hidden="true" />
        </Link>
      )}
      {order?.kind === 'transfer' && (
        <Link className={styles.order} to={`/setting/transfer?id=${order.id}`} onClick={onClose}>
          {t('wallet.detail.toTransfer')}
          <ChevronRight size={18} aria-hidden="true" />
        </Link>
      )}
      {order?.kind === 'order' && (
        <button
          type="button"
          className={styles.order}
          onClick={() => {
            onClose()
            showOrder(order.id)
          }}
        >
          {t('wallet.detail.toOrder')}
          <ChevronRight size={18} aria-hidden="true" />
        </button>
      )}
    </RecordSheet>
  )
}
