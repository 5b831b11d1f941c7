import type { AnnouncementState } from '@lode/wire'
import type { ReactNode } from 'react'
import { useChain } from '../../shared/api/index.ts'
import { formatAmount, formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import {
  Address,
  Card,
  Loaded,
  Pill,
  Row,
  Rows,
  Skeleton,
  StaleNote,
  StateNote,
  TransactionLink,
} from '../../shared/ui/index.ts'
import styles from './dao.module.css'
import type { Announcement, useAnnouncements } from './use-dao.ts'
import own from './VaultPart.module.css'

const tones = {
  open: 'lode',
  done: 'jade',
  withdrawn: 'neutral',
  expired: 'neutral',
  replaced: 'neutral',
} as const satisfies Record<AnnouncementState, string>

/** What the vault's administrator has announced, and below it what became of earlier announcements. */
export function VaultPart({ query }: { query: ReturnType<typeof useAnnouncements> }) {
  const t = useText()
  const { data } = query
  return (
    <Loaded query={query} failed={t('dao.vault.failed')} offline={t('dao.vault.offline')}>
      {() => (
        <>
          <p className={styles.intro}>{t('dao.vault.text')}</p>
          <StaleNote since={query.isRefetchError ? query.dataUpdatedAt : null} />
          {!data && <AnnouncementSkeleton />}
          {data?.openCount === 0 && <StateNote title={t('dao.vault.none')} text={t('dao.vault.noneText')} />}
          {data?.open.map((one) => (
            <AnnouncementCard key={one.tx + one.callHash} announcement={one} />
          ))}
          {data && data.openCount > data.open.length && (
            <p className={styles.intro}>{t('dao.vault.more', { number: data.openCount - data.open.length })}</p>
          )}
          {data && data.ended.length > 0 && (
            <>
              <h2 className={own.heading}>{t('dao.vault.ended')}</h2>
              {data.ended.map((one) => (
                <AnnouncementCard key={one.tx + one.callHash} announcement={one} />
              ))}
            </>
          )}
        </>
      )}
    </Loaded>
  )
}

function AnnouncementCard({ announcement }: { announcement: Announcement }) {
  const t = useText()
  const language = useLanguage()
  const { data: chain } = useChain()
  const { kind, state, tx } = announcement
  const moment = (iso: string): ReactNode => <time dateTime={iso}>{formatMoment(iso, language)}</time>
  return (
    <Card
      title={t(`dao.vault.kinds.${kind}.title`)}
      aside={<Pill tone={tones[state]}>{t(`dao.vault.states.${state}`)}</Pill>}
    >
      <p>{t(`dao.vault.kinds.${kind}.means`)}</p>
      <Rows>
        {announcement.arguments.map(({ name, value, symbol }) => (
          <Row key={name} label={t(`dao.vault.arguments.${name}`)} stacked={value.startsWith('0x')}>
            <ArgumentValue value={value} symbol={symbol} />
          </Row>
        ))}
        <Row label={t('dao.vault.announcedAt')}>{moment(announcement.announcedAt)}</Row>
        {announcement.endedAt === null ? (
          <>
            <Row label={t('dao.vault.from')}>{moment(announcement.notBefore)}</Row>
            <Row label={t('dao.vault.until')}>{moment(announcement.notAfter)}</Row>
          </>
        ) : (
          <Row label={t('dao.vault.endedAt')}>{moment(announcement.endedAt)}</Row>
        )}
      </Rows>
      {chain && <TransactionLink hash={tx} explorerUrl={chain.explorerUrl} />}
    </Card>
  )
}

type Argument = Announcement['arguments'][number]

function ArgumentValue({ value, symbol }: Pick<Argument, 'value' | 'symbol'>) {
  if (value.length === 42 && value.startsWith('0x'))
    return (
      <>
        {symbol}
        <Address value={value} full />
      </>
    )
  if (value.startsWith('0x')) return <code className={own.bytes}>{value}</code>
  const number = formatAmount(value, { least: 0, most: 18 })
  return symbol ? `${number} ${symbol}` : number
}

function AnnouncementSkeleton() {
  const t = useText()
  return (
    <Card title={t('dao.tabs.vault')}>
      <Rows>
        <Row label={t('dao.vault.announcedAt')}>
          <Skeleton>00 Aaa 0000, 00:00</Skeleton>
        </Row>
        <Row label={t('dao.vault.from')}>
          <Skeleton>00 Aaa 0000, 00:00</Skeleton>
        </Row>
      </Rows>
    </Card>
  )
}
