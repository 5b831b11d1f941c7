import type { Asset } from '@lode/kernel'
import { logStatuses, logTypes } from '@lode/wire'
import { useState } from 'react'
import { useChain } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Lines } from '../../shared/list/index.ts'
import { LazySheet, lazyComponent } from '../../shared/parts/index.ts'
import { ListEnd, Loaded, Select, StaleNote, StateNote } from '../../shared/ui/index.ts'
import styles from './AssetLog.module.css'
import { CsvBar, CsvButton } from './Csv.tsx'
import { LogLine } from './LogLine.tsx'
import { PeriodPicker } from './PeriodPicker.tsx'
import { typeText } from './type-text.ts'
import { useCsv } from './use-csv.ts'
import type { LogFilters, useLog, WalletLogLine } from './use-log.ts'

const LineSheet = lazyComponent(async () => (await import('./LineSheet.tsx')).LineSheet)

type AssetLogProps = {
  symbol: Asset
  filters: LogFilters
  onFilters: (filters: LogFilters) => void
  log: ReturnType<typeof useLog>
}

export function AssetLog({ symbol, filters, onFilters, log }: AssetLogProps) {
  const t = useText()
  const csv = useCsv(symbol, filters)
  const explorerUrl = useChain().data?.explorerUrl
  const { data: lines } = log
  /** True while the member enters the days. */
  const [isIncomplete, setIncomplete] = useState(false)
  /** The line as it was opened. It is looked up again, because it can change while its sheet is open. */
  const [opened, setOpened] = useState<WalletLogLine | null>(null)
  const shown = opened && (lines?.find(({ id }) => id === opened.id) ?? opened)
  return (
    <section className={styles.log} aria-busy={!lines}>
      <header className={styles.head}>
        <h2>{t('wallet.log')}</h2>
        <CsvButton csv={csv} disabled={!lines?.length || isIncomplete} />
      </header>
      <Filters filters={filters} onFilters={onFilters} />
      <PeriodPicker
        onPeriod={(period) => {
          setIncomplete(period === 'incomplete')
          if (period === 'incomplete') return
          const { from: _from, to: _to, ...others } = filters
          onFilters(period === 'all' ? others : { ...others, ...period })
        }}
      />
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

function Filters({ filters, onFilters }: Pick<AssetLogProps, 'filters' | 'onFilters'>) {
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
}
