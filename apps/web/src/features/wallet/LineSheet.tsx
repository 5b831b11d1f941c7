import type { Asset } from '@lode/kernel'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { useChain } from '../../shared/api/index.ts'
import { formatMoment, isZero, wholePlaces } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Amount, CopyButton, Row, Rows, Sheet, TransactionLink } from '../../shared/ui/index.ts'
import { showOrder } from '../order/index.ts'
import styles from './LineSheet.module.css'
import { findOwnOrder } from './own-order.ts'
import { typeText } from './type-text.ts'
import type { WalletLogLine } from './use-log.ts'

type LineSheetProps = { symbol: Asset; line: WalletLogLine; onClose: () => void }

/** All that is known about one line of the log. */
export function LineSheet({ symbol, line, onClose }: LineSheetProps) {
  const t = useText()
  const language = useLanguage()
  const explorerUrl = useChain().data?.explorerUrl
  const places = wholePlaces(symbol)
  const order = findOwnOrder(line)
  const isWaitingTransfer = line.type === 'transferOut' && line.status === 'confirming'
  return (
    <Sheet open onClose={onClose} title={typeText(t, line.type)}>
      <p className={styles.amount}>
        <Amount value={line.amount} symbol={symbol} places={places} sign={line.direction === 'out' ? '−' : '+'} />
      </p>
      <Rows>
        <Row label={t('wallet.statusFilter')}>{t(`wallet.statuses.${line.status}`)}</Row>
        {!isZero(line.fee) && (
          <Row label={t('wallet.fee')}>
            <Amount value={line.fee} symbol={symbol} places={places} />
          </Row>
        )}
        <Row label={t('wallet.detail.at')}>
          <time dateTime={line.at}>{formatMoment(line.at, language)}</time>
        </Row>
        {line.endedAt && (
          <Row label={t('wallet.detail.endedAt')}>
            <time dateTime={line.endedAt}>{formatMoment(line.endedAt, language)}</time>
          </Row>
        )}
        <Row label={t('wallet.detail.balanceAfter')}>
          {line.balanceAfter === null ? (
            t('wallet.detail.notFinal')
          ) : (
            <Amount value={line.balanceAfter} symbol={symbol} places={places} />
          )}
        </Row>
        <Row label={t('wallet.csv.transaction')} stacked>
          {line.tx ? (
            <>
              <span className={styles.code}>{line.tx}</span>
              {explorerUrl ? (
                <TransactionLink hash={line.tx} explorerUrl={explorerUrl} />
              ) : (
                <CopyButton text={line.tx} label={t('wallet.copyHash')} />
              )}
            </>
          ) : (
            t(isWaitingTransfer ? 'wallet.detail.notSentYet' : 'wallet.detail.noTransaction')
          )}
        </Row>
        <Row label={t('wallet.csv.reference')} stacked>
          <span className={styles.code}>{line.id}</span>
          <CopyButton text={line.id} label={t('wallet.detail.copyReference')} />
        </Row>
      </Rows>
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
    </Sheet>
  )
}
