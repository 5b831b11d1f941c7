import type { Asset } from '@lode/kernel'
import { logStatuses, logTypes } from '@lode/wire'
import { memo, type Ref, useCallback, useImperativeHandle, useState } from 'react'
import { useChain } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Lines } from '../../shared/list/index.ts'
import { LazySheet, lazyComponent } from '../../shared/parts/index.ts'
import { ListEnd, Loaded, Select, StaleNote, StateNote } from '../../shared/ui/index.ts'
import styles from './AssetLog.module.css'
import { CsvBar, CsvButton } from './Csv.tsx'
import { LogLine } from './LogLine.tsx'
import { PeriodPicker } from './PeriodPicker.tsx'
import type { PeriodChoice } from './period.ts'
import { typeText } from './type-text.ts'
import { useCsv } from './use-csv.ts'
import { type LogFilters, useLog, type WalletLogLine } from './use-log.ts'

const LineSheet = lazyComponent(async () => (await import('./LineSheet.tsx')).LineSheet)

/** What the page of an asset asks of its log. */
export type AssetLogHandle = { readonly refetch: () => Promise<unknown> }

/**
 * The log of an asset. It reads its lines itself, so that a new page of lines does not render the rest of the page. The
 * filters are memoized for the same reason: with thousands of lines, a slow phone has no time for them.
 */
export function AssetLog({ symbol, ref }: { symbol: Asset; ref: Ref<AssetLogHandle> }) {
  const t = useText()
  const [filters, setFilters] = useState<LogFilters>({})
  const log = useLog(symbol, filters)
  useImperativeHandle(ref, () => ({ refetch: log.refetch }))
  const csv = useCsv(symbol, filters)
  const explorerUrl = useChain().data?.explorerUrl
  const { data: lines } = log
  /** True while the member enters the days. */
  const [isIncomplete, setIncomplete] = useState(false)
  /** The line as it was opened. It is looked up again, because it can change while its sheet is open. */
  const [opened, setOpened] = useState<WalletLogLine | null>(null)
  const shown = opened && (lines?.find(({ id }) => id === opened.id) ?? opened)
  const choosePeriod = useCallback((period: PeriodChoice) => {
    setIncomplete(period === 'incomplete')
    if (period === 'incomplete') return
    setFilters(({ from: _from, to: _to, ...others }) => (period === 'all' ? others : { ...others, ...period }))
  }, [])
  return (
    <section className={styles.log} aria-busy={!lines}>
      <header className={styles.head}>
        <h2>{t('wallet.log')}</h2>
        <CsvButton csv={csv} disabled={!lines?.length || isIncomplete} />
      </header>
      <Filters filters={filters} onFilters={setFilters} />
      <PeriodPicker onPeriod={choosePeriod} />
      {isIncomplete ? (
        <p className={styles.note}>{t('wallet.period.choose')}</p>
      ) : (
        filters.from && <p className={styles.note}>{t('wallet.period.began')}</p>
      )}
      {!isIncomplete && (
        <>
          <CsvBar csv={csv} />
          <StaleNote since={log.oldSince} />
          <Loaded query={log} failed={t('wallet.logFailed')} offline={t('wallet.logOfflineText')}>
            {(lines) =>
              lines?.length === 0 ? (
                <StateNote
                  title={t('common.list.empty')}
                  text={Object.keys(filters).length > 0 ? t('wallet.noMatch') : t('wallet.noLines')}
                />
              ) : (
                <>
                  <Lines
                    items={lines}
                    keyOf={lineId}
                    waiting={6}
                    isComplete={log.end === 'end'}
                    line={(line, index) => (
                      <LogLine key={line?.id ?? index} {...{ symbol, line, explorerUrl }} onOpen={setOpened} />
                    )}
                  />
                  {lines && <ListEnd state={log.end} onMore={log.loadMore} />}
                </>
              )
            }
          </Loaded>
        </>
      )}
      {shown && (
        <LazySheet onFailed={() => setOpened(null)}>
          <LineSheet symbol={symbol} line={shown} onClose={() => setOpened(null)} />
        </LazySheet>
      )}
    </section>
  )
}

const lineId = ({ id }: WalletLogLine): string => id

const ALL = ''

type FiltersProps = { filters: LogFilters; onFilters: (filters: LogFilters) => void }

const Filters = memo(function Filters({ filters, onFilters }: FiltersProps) {
  const t = useText()
  const types = logTypes.map((value) => ({ value, text: typeText(t, value) }))
  const statuses = logStatuses.map((value) => ({ value, text: t(`wallet.statuses.${value}`) }))
  const { type, status, ...days } = filters
  return (
    <div className={styles.filters}>
      <Select
        label={t('wallet.typeFilter')}
        value={type ?? ALL}
        options={[{ value: ALL, text: t('wallet.allTypes') }, ...types]}
        onValue={(chosen) => onFilters({ ...days, ...(status && { status }), ...(chosen && { type: chosen }) })}
      />
      <Select
        label={t('wallet.statusFilter')}
        value={status ?? ALL}
        options={[{ value: ALL, text: t('wallet.allStatuses') }, ...statuses]}
        onValue={(chosen) => onFilters({ ...days, ...(type && { type }), ...(chosen && { status: chosen }) })}
      />
    </div>
  )
})
