import type { DataOf } from '@lode/wire'
import { Check, ChevronDown, CircleCheck, TriangleAlert } from 'lucide-react'
import { formatAmount, formatDay, formatWholeAmount, placesOf } from '../../shared/format/index.ts'
import { type TextFunction, useLanguage, useText } from '../../shared/i18n/index.ts'
import { Amount, CopyButton, Pair, Pill, Skeleton, TransactionLink } from '../../shared/ui/index.ts'
import { btcText, dayProduction, effectivePledge, effectivePledgeText, formatAnyAmount } from '../production/index.ts'
import styles from './detail.module.css'
import { computeNetworkShare } from './network-share.ts'
import type { DayCheck, DividendLine, LineFault } from './recompute.ts'
import type { ShownDay } from './use-pledge-detail.ts'

type Chain = DataOf<'pool/chain'>

/**
 * One closed day: the member's dividend, its share, and the funding. Without a day it draws a placeholder of the same
 * shape.
 */
export function DayLine({ day, chain }: { day: ShownDay | undefined; chain: Chain | undefined }) {
  const t = useText()
  const language = useLanguage()
  if (!day || !chain) return <DayLineSkeleton />
  const { reported, figures, line, check } = day
  const { decimals } = chain.tokens.BTC
  const shared = dayProduction(figures)
  const reckoning = line && shared > 0n ? reckoningText(shared, line, decimals) : null
  return (
    <li className={styles.line} data-check={check.kind}>
      <Pair>
        <p className={styles.name}>{formatDay(reported.day, language)}</p>
        <p className={line && line.amount > 0n ? styles.earned : styles.amount}>
          <Amount value={formatAnyAmount(line?.amount ?? 0n, decimals)} symbol="BTC" places={placesOf.BTC} />
        </p>
      </Pair>
      <Pair>
        <p className={styles.small}>{sharedText()}</p>
        <CheckPill check={check} />
      </Pair>
      {reckoning && (
        <p className={styles.reckoning}>
          {reckoning}
          {check.kind === 'checked' && <Check size={14} strokeWidth={3} aria-hidden="true" />}
        </p>
      )}
      <p className={styles.small}>{weightText()}</p>
      {check.kind === 'differs' && (
        <ul className={styles.faults}>
          {check.faults.map((fault) => (
            <li key={fault.at}>{faultText(t, fault, decimals)}</li>
          ))}
        </ul>
      )}
      {reported.fundings.length > 0 && (
        <div className={styles.fundings}>
          <span className={styles.small}>{t('pledge.table.fundedBy')}</span>
          {reported.fundings.map(({ tx, bitcoinTx, bitcoinOutput }) => (
            <TransactionLink key={`${tx} ${bitcoinTx} ${bitcoinOutput}`} hash={tx} explorerUrl={chain.explorerUrl} />
          ))}
        </div>
      )}
      <PublicFigures day={reported} />
    </li>
  )

  function weightText(): string {
    if (!line) return t('pledge.table.noPledge')
    const share = computeNetworkShare(effectivePledge(line.weight), effectivePledge(line.totalWeight)).text
    const [own, all] = [effectivePledgeText(line.weight), effectivePledgeText(line.totalWeight)]
    return t('pledge.table.ownWeight', { own, all, share })
  }

  function sharedText(): string {
    if (shared > 0n) return `${t('pledge.table.shared')} ${btcText(shared, decimals)}`
    return figures.S === 0n && figures.F + figures.X > 0n ? t('pledge.table.waiting') : t('pledge.table.nothing')
  }
}

/** The member's dividend in one line that can be reckoned: production × own ÷ all ≈ dividend. */
function reckoningText(shared: bigint, { weight, totalWeight, amount }: DividendLine, decimals: number): string {
  const production = formatAmount(formatAnyAmount(shared, decimals), { least: 0, most: decimals })
  const [own, all] = [effectivePledgeText(weight), effectivePledgeText(totalWeight)]
  return `${production} × ${own} ÷ ${all} ≈ ${btcText(amount, decimals)}`
}

function CheckPill({ check }: { check: DayCheck }) {
  const t = useText()
  switch (check.kind) {
    case 'checked':
      return (
        <Pill tone="jade">
          <span className={styles.verdictPill}>
            <CircleCheck size={14} aria-hidden="true" />
            {t('pledge.table.checked')}
          </span>
        </Pill>
      )
    case 'differs':
      return (
        <Pill tone="rose">
          <span className={styles.verdictPill}>
            <TriangleAlert size={14} aria-hidden="true" />
            {t('pledge.table.differs')}
          </span>
        </Pill>
      )
    case 'unknown':
      return null
  }
}

function faultText(t: TextFunction, fault: LineFault, decimals: number): string {
  switch (fault.at) {
    case 'days':
      return t('pledge.table.faults.days')
    case 'fundings':
      return t('pledge.table.faults.fundings')
    case 'weight':
    case 'totalWeight':
      return t(`pledge.table.faults.${fault.at}`, {
        told: effectivePledgeText(fault.reported),
        reckoned: effectivePledgeText(fault.recomputed),
      })
    case 'amount':
      return t('pledge.table.faults.amount', {
        told: btcText(fault.reported, decimals),
        reckoned: btcText(fault.recomputed, decimals),
      })
    default:
      return t('pledge.table.faults.figure', { figure: fault.at })
  }
}

const LETTERS = ['F', 'X', 'T', 'C', 'Z', 'S', 'q', 'A', 'R'] as const
const AMOUNTS: ReadonlySet<string> = new Set(['F', 'X', 'T', 'C'])

/** The row of the public table with its letters, for members who recompute it by hand. */
function PublicFigures({ day }: { day: ShownDay['reported'] }) {
  const t = useText()
  return (
    <details className={styles.details}>
      <summary className={styles.summary}>
        {t('pledge.table.figures')}
        <ChevronDown size={16} aria-hidden="true" className={styles.chevron} />
      </summary>
      <dl className={styles.letters}>
        {LETTERS.map((letter) => (
          <div key={letter} className={styles.letter}>
            <dt>
              <b>{letter}</b> {t(`pledge.table.letters.${letter}`)}
            </dt>
            <dd>{AMOUNTS.has(letter) ? formatWholeAmount(day[letter], 'BTC') : day[letter]}</dd>
          </div>
        ))}
        {day.fundings.map(({ tx, amount, bitcoinTx, bitcoinOutput, evidence, bitcoinValue }) => (
          <div key={`${tx} ${bitcoinTx} ${bitcoinOutput}`} className={styles.letter}>
            <dt>
              {t('pledge.table.bitcoin')} · {formatWholeAmount(amount, 'BTC')}
            </dt>
            <dd className={styles.bitcoin}>
              <span>{`${bitcoinTx}:${bitcoinOutput}`}</span>
              <CopyButton text={bitcoinTx} label={t('pledge.table.copyBitcoin')} />
            </dd>
            <dd>
              {t(`pledge.table.evidence.${evidence}`, {
                value: bitcoinValue === null ? '' : formatWholeAmount(bitcoinValue, 'BTC'),
              })}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function DayLineSkeleton() {
  const t = useText()
  return (
    <li className={styles.line}>
      <Pair>
        <p className={styles.name}>
          <Skeleton>00 Aaa 0000</Skeleton>
        </p>
        <p className={styles.amount}>
          <Skeleton>0.00000000 BTC</Skeleton>
        </p>
      </Pair>
      <Pair>
        <p className={styles.small}>
          <Skeleton>{`${t('pledge.table.shared')} 0.00000000 BTC`}</Skeleton>
        </p>
        <Pill tone="neutral">
          <Skeleton>{t('pledge.table.checked')}</Skeleton>
        </Pill>
      </Pair>
      <p className={styles.small}>
        <Skeleton>{t('pledge.table.ownWeight', { own: '00,000', all: '000,000', share: '00%' })}</Skeleton>
      </p>
    </li>
  )
}
