import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { PagedList, RecordCounts } from '../../shared/list/index.ts'
import { Pair, Skeleton } from '../../shared/ui/index.ts'
import styles from './records.module.css'
import type { useOrderRecords, usePaymentRecords } from './use-records.ts'

type Records<Item> = {
  readonly list: ReturnType<typeof useOrderRecords | typeof usePaymentRecords>['list']
  readonly items: readonly Item[] | undefined
  readonly totals: { readonly total: number; readonly successes: number } | undefined
}

type RecordListProps<Item> = {
  records: Records<Item>
  /** The labels of the two counts: all records, and the successful ones. */
  names: { total: string; successes: string }
  texts: { failed: string; offline: string; empty: string }
  /** Shown between the counts and the list. */
  filter?: ReactNode
  line: (item: Item) => ReactNode
}

/** Records, newest first, below the number of all and of successful ones. */
export function RecordList<Item>({ records, names, texts, filter, line }: RecordListProps<Item>) {
  const { list, items, totals } = records
  return (
    <>
      <RecordCounts totals={totals} names={names} />
      {filter}
      <PagedList
        list={list}
        items={items}
        texts={texts}
        waiting={5}
        line={(item, index) => (item === undefined ? <RecordLineSkeleton key={index} /> : line(item))}
      />
    </>
  )
}

function RecordLineSkeleton() {
  const t = useText()
  return (
    <li className={styles.line}>
      <Pair>
        <p className={styles.name}>
          <Skeleton>{t('promotion.order.name', { level: 1 })}</Skeleton>
        </p>
        <p className={styles.amount}>
          <Skeleton>000.00 USDT</Skeleton>
        </p>
      </Pair>
      <Pair>
        <p className={styles.small}>
          <Skeleton>00 Aaa 0000, 00:00</Skeleton>
        </p>
        <p className={styles.small}>
          <Skeleton>{t('order.states.success')}</Skeleton>
        </p>
      </Pair>
      <p className={styles.small}>
        <Skeleton>{t('records.methods.1')}</Skeleton>
      </p>
    </li>
  )
}
