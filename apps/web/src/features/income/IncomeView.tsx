import { type IncomePeriod, incomePeriods } from '@lode/wire'
import { ChevronRight, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatAmount, formatDay, formatRecent, valuePlaces } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { useBack, type ViewProps } from '../../shared/routing/index.ts'
import {
  failedToLoad,
  LargeAmount,
  Loaded,
  OwnAmounts,
  RefreshButton,
  Segmented,
  Skeleton,
  StaleNote,
  TopBar,
  View,
} from '../../shared/ui/index.ts'
import { ageInDays, HiddenNote, OldPrices } from '../wallet/index.ts'
import { IncomeChart } from './IncomeChart.tsx'
import styles from './income.module.css'
import { Missed } from './Missed.tsx'
import { Sources } from './Sources.tsx'
import { type Income, useIncome } from './use-income.ts'

/** What the pool paid into the member's balance in a period, and what the member missed. Only realized figures. */
export function IncomeView({ query: { period: given } }: ViewProps) {
  const t = useText()
  const back = useBack('/home')
  const [period, setPeriod] = useState<IncomePeriod>(incomePeriods.find((one) => one === given) ?? 'month')
  const query = useIncome(period)
  const { isPlaceholderData, isRefetchError, dataUpdatedAt, refetch } = query
  return (
    <View
      centered={failedToLoad(query)}
      onRefresh={refetch}
      top={<TopBar title={t('shell.titles.income')} onBack={back} end={<RefreshButton onRefresh={refetch} />} />}
    >
      <Segmented
        label={t('income.period')}
        labelHidden
        value={period}
        options={incomePeriods.map((value) => ({ value, text: t(`income.periods.${value}`) }))}
        onValue={setPeriod}
      />
      <Loaded query={query} failed={t('income.failed')} offline={t('income.offlineText')}>
        {(income) => (
          <OwnAmounts>
            <HiddenNote />
            <div
              className={styles.figures}
              aria-busy={!income || isPlaceholderData}
              data-old={isPlaceholderData ? '' : undefined}
            >
              <Total income={income} />
              {isRefetchError && <StaleNote since={dataUpdatedAt} />}
              {income && income.bars.length > 1 && <IncomeChart income={income} />}
              {income && income.sources.length > 0 && <Sources income={income} />}
              {income && <Missed missed={income.missed} />}
              {income && <Prices income={income} />}
            </div>
            <p className={styles.small}>{t('income.about')}</p>
            <Link to="/wallet/statement" className={styles.statement}>
              <ReceiptText size={20} aria-hidden="true" />
              <span>{t('statement.link')}</span>
              <ChevronRight size={18} aria-hidden="true" />
            </Link>
          </OwnAmounts>
        )}
      </Loaded>
    </View>
  )
}

function Total({ income }: { income: Income | undefined }) {
  const t = useText()
  const language = useLanguage()
  if (!income)
    return (
      <div>
        <p className={styles.small}>
          <Skeleton>00 Aaa 0000 – 00 Aaa 0000</Skeleton>
        </p>
        <p className={styles.total}>
          <Skeleton>0,000.00 USDT</Skeleton>
        </p>
      </div>
    )
  const { from, to, total, sources, at } = income
  const oldest = oldestPrice(income)
  const dates = from === to ? formatDay(to, language) : `${formatDay(from, language)} – ${formatDay(to, language)}`
  return (
    <div>
      <p className={styles.small}>
        {oldest === null || ageInDays(oldest, at) === null
          ? t('income.range', { dates })
          : t('income.rangeLast', { dates, time: formatRecent(oldest, Date.parse(at), language) })}
      </p>
      <LargeAmount size="hero" value={total.values} symbol="USDT" places={valuePlaces} />
      {sources.length === 0 && <p className={styles.small}>{t('income.none')}</p>}
      {total.without.length > 0 && (
        <p className={styles.small}>{t('wallet.totalWithout', { symbols: total.without.join(', ') })}</p>
      )}
    </div>
  )
}

/** The time of the oldest price by which the total was computed. */
const oldestPrice = ({ prices }: Income): string | null => prices.map(({ at }) => at).sort()[0] ?? null

/** The prices by which the total was computed, each with its time. */
function Prices({ income }: { income: Income }) {
  const t = useText()
  const language = useLanguage()
  const { prices, at } = income
  if (prices.length === 0) return null
  return (
    <div className={styles.small}>
      {prices.map(({ symbol, price, at: setAt }) => (
        <p key={symbol}>
          {t('income.price', {
            symbol,
            price: formatAmount(price, { least: 2, most: 8 }),
            time: formatRecent(setAt, Date.parse(at), language),
          })}
        </p>
      ))}
      <OldPrices days={ageInDays(oldestPrice(income), at)} />
    </div>
  )
}
