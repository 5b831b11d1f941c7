import type { Asset } from '@lode/kernel'
import { Check } from 'lucide-react'
import { useChain } from '../../shared/api/index.ts'
import { formatAmount, isZero, type Places } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { LargeAmount, Note, Skeleton } from '../../shared/ui/index.ts'
import styles from './Holdings.module.css'
import { isBehind } from './is-behind.ts'
import type { PoolFigures } from './use-pool-figures.ts'

/** Totals need few decimals. BTC is shown with all eight. */
const places: Readonly<Record<Asset, Places>> = {
  USDT: { least: 2, most: 2 },
  BTN: { least: 2, most: 2 },
  BTC: { least: 8, most: 8 },
}

const SKELETON_SYMBOLS = ['USDT', 'BTN', 'BTC'] as const

type HoldingsProps = { figures: PoolFigures | undefined; time: (iso: string) => string }

/**
 * The pool's held, owed and own totals from the ledger, and whether the vault's balances on the chain were compared
 * with the ledger and are equal.
 */
export function Holdings({ figures, time }: HoldingsProps) {
  const t = useText()
  const { data: chain } = useChain()
  const books = figures?.books
  if (figures && !books)
    return (
      <section className={styles.part}>
        <h3 className={styles.title}>{t('home.pool.books')}</h3>
        <p className={styles.words}>{t('home.pool.booksNone')}</p>
      </section>
    )
  return (
    <section className={styles.part}>
      <header className={styles.head}>
        <h3 className={styles.title}>{t('home.pool.books')}</h3>
        <p className={styles.small}>
          {books ? (
            t('home.pool.block', {
              block: formatAmount(String(books.block), { least: 0, most: 0 }),
              time: time(books.blockAt),
            })
          ) : (
            <Skeleton>{t('home.pool.block', { block: '000', time: '00:00' })}</Skeleton>
          )}
        </p>
      </header>
      <ul>
        {books
          ? books.holdings.map((holding) => (
              <HoldingLine key={holding.symbol} holding={holding} checked={books.checked} />
            ))
          : SKELETON_SYMBOLS.map((symbol) => (
              <li key={symbol} className={styles.line}>
                <p className={styles.waiting}>
                  <Skeleton>{t('home.pool.owed')} 000,000.00 USDT</Skeleton>
                </p>
                <p className={styles.small}>
                  <Skeleton>{t('home.pool.own', { amount: '000,000.00' })}</Skeleton>
                </p>
              </li>
            ))}
      </ul>
      {books && <p className={styles.small}>{t(books.checked ? 'home.pool.checked' : 'home.pool.unchecked')}</p>}
      {figures && books && chain && isBehind(figures.at, books.blockAt, chain.finalityMinutes) && (
        <Note tone="lode">{t('home.pool.behind', { time: time(books.blockAt) })}</Note>
      )}
    </section>
  )
}

type Holding = NonNullable<PoolFigures['books']>['holdings'][number]

function HoldingLine({ holding, checked }: { holding: Holding; checked: boolean }) {
  const t = useText()
  const { symbol, owed, held, own, cold, missing } = holding
  const amount = (value: string): string => formatAmount(value, places[symbol])
  return (
    <li className={styles.line}>
      <dl className={styles.sums}>
        <div>
          <dt className={styles.small}>{t('home.pool.owed')}</dt>
          <dd>
            <LargeAmount size="small" value={owed} symbol={symbol} places={places[symbol]} />
          </dd>
        </div>
        <div data-checked={checked ? '' : undefined}>
          <dt className={styles.small}>
            {t('home.pool.held')}
            {checked && (
              <>
                <Check size={14} strokeWidth={3} aria-hidden="true" className={styles.tick} />
                <span className="visually-hidden"> {t('home.pool.agrees')}</span>
              </>
            )}
          </dt>
          <dd>
            <LargeAmount size="small" value={held} symbol={symbol} places={places[symbol]} />
          </dd>
        </div>
      </dl>
      <p className={styles.small}>
        {t('home.pool.own', { amount: amount(own) })}
        {!isZero(cold) && ` · ${t('home.pool.cold', { amount: amount(cold) })}`}
      </p>
      {!isZero(missing) && (
        <p className={styles.missing}>{t('home.pool.missing', { amount: amount(missing), symbol })}</p>
      )}
    </li>
  )
}
