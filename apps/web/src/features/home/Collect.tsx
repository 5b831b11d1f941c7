import type { DataOf } from '@lode/wire'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, ORDER_READS, queryClient, read } from '../../shared/api/index.ts'
import { formatAmount, formatDay, formatWholeAmount, isZero, wholePlaces } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { useUnstoredPress } from '../../shared/press/index.ts'
import { Button, Card, HiddenAmount, Note, Skeleton, useIsHidden } from '../../shared/ui/index.ts'
import styles from './Collect.module.css'
import type { Home } from './use-home.ts'

const DAY_MS = 86_400_000

type Collected = DataOf<'account/collect'>

/** What was collected no longer waits. The page shows this at once, before it has read everything again. */
function removeFromHome(parts: Collected['parts']): void {
  const isCollected = (part: string) => parts.some((one) => one.part === part && !one.failed)
  queryClient.setQueryData<Home>(
    read('account/home', {}).queryKey,
    (home) =>
      home && {
        ...home,
        collect: home.collect.map((one) => (isCollected(one.part) ? { ...one, amount: '0' } : one)),
      },
  )
}

/** Everything that waits to be collected, and the button that collects it. Hidden from those who never had anything. */
export function Collect({ home }: { home: Home | undefined }) {
  const t = useText()
  const isHidden = useIsHidden()
  const { busy, failure, ask } = useUnstoredPress<Collected>()
  const [collected, setCollected] = useState<Collected['parts']>([])

  async function collect(): Promise<void> {
    setCollected([])
    const outcome = await ask((key) => call('account/collect', { key }, { quiet: true }))
    if (outcome.kind === 'done') {
      setCollected(outcome.value.parts)
      removeFromHome(outcome.value.parts)
    }
    // Also after a failure: then the shown amounts may be stale.
    await Promise.all(
      [...ORDER_READS, 'partner/status'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
    )
  }

  const waiting = home?.collect.filter(({ amount }) => !isZero(amount))
  const paid = collected.filter(({ part, amount }) => !isZero(amount) && !waiting?.some((one) => one.part === part))
  const failed = collected.filter((one) => one.failed)
  if (home?.steps && waiting?.length === 0 && paid.length === 0) return null
  const amountText = (one: { amount: string; symbol: 'USDT' | 'BTN' | 'BTC' }) =>
    isHidden ? one.symbol : formatWholeAmount(one.amount, one.symbol)
  return (
    <Card title={t('home.collect.title')}>
      {!waiting && (
        <p className={styles.small}>
          <Skeleton>{t('home.collect.nothing')}</Skeleton>
        </p>
      )}
      {waiting?.length === 0 && paid.length === 0 && home?.countsFrom === null && (
        <p className={styles.small}>{t('home.collect.nothing')}</p>
      )}
      {waiting && waiting.length > 0 && (
        <div className={styles.pair}>
          <ul className={styles.parts}>
            {waiting.map((one) => (
              <li key={one.part}>
                <span className={styles.amount}>
                  {isHidden && (
                    <>
                      <HiddenAmount />{' '}
                    </>
                  )}
                  {isHidden ? one.symbol : `${formatAmount(one.amount, wholePlaces(one.symbol))}\u00a0${one.symbol}`}
                </span>{' '}
                <span className={styles.small}>{t(`home.collect.${one.part}`)}</span>
              </li>
            ))}
          </ul>
          <div className={styles.press}>
            <Button busy={busy} onClick={collect}>
              {t('home.collect.all')}
            </Button>
          </div>
        </div>
      )}
      <div role="status" className={styles.status}>
        {paid.length > 0 && (
          <p className={styles.done}>
            <Check size={16} strokeWidth={3} aria-hidden="true" />
            {t('home.collect.done', { amounts: paid.map(amountText).join(' · ') })}
          </p>
        )}
      </div>
      {failed.length > 0 && (
        <Note tone="rose">
          {t('home.collect.failed', { parts: failed.map(({ part }) => t(`home.collect.${part}`)).join(', ') })}
        </Note>
      )}
      {failure && <Note tone="rose">{failureText(t, failure)}</Note>}
      {home && home.countsFrom !== null && <FirstDividend countsFrom={home.countsFrom} at={home.at} />}
    </Card>
  )
}

/** When the first dividend can come. The day may be closed late, so the date is never before today. */
function FirstDividend({ countsFrom, at }: { countsFrom: number; at: string }) {
  const t = useText()
  const language = useLanguage()
  const today = Math.floor(Date.parse(at) / DAY_MS)
  return (
    <p className={styles.small}>
      {t('home.collect.firstDividend', {
        from: formatDay(countsFrom, language, 'short'),
        earliest: formatDay(Math.max(countsFrom + 1, today), language, 'short'),
      })}
    </p>
  )
}
