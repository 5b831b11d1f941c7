import type { PlanStanding } from '@lode/wire'
import { ChevronDown } from 'lucide-react'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import {
  Card,
  ListEnd,
  Loaded,
  listEnd,
  Pill,
  Row,
  Rows,
  Skeleton,
  StaleNote,
  StateNote,
} from '../../shared/ui/index.ts'
import { PlanChanges } from '../plan/index.ts'
import styles from './dao.module.css'
import own from './HistoryPart.module.css'
import type { PlanVersion, usePlanHistory } from './use-dao.ts'

const tones = { current: 'jade', coming: 'lode', past: 'neutral', overtaken: 'neutral' } as const satisfies Record<
  PlanStanding,
  string
>

/** Every published plan version, newest first, with its changes. */
export function HistoryPart({ list }: { list: ReturnType<typeof usePlanHistory> }) {
  const t = useText()
  const versions = list.data?.pages.flatMap((page) => page.versions)
  if (versions?.length === 0) return <StateNote title={t('common.list.empty')} text={t('dao.noPlanText')} />
  return (
    <Loaded query={list} failed={t('dao.historyFailed')} offline={t('dao.historyOffline')}>
      {() => (
        <>
          <p className={styles.intro}>{t('dao.historyText')}</p>
          <StaleNote since={list.isRefetchError && !list.isFetchNextPageError ? list.dataUpdatedAt : null} />
          {versions ? versions.map((one) => <Version key={one.version} version={one} />) : <VersionSkeleton />}
          {versions && <ListEnd state={listEnd(list)} onMore={() => void list.fetchNextPage()} />}
        </>
      )}
    </Loaded>
  )
}

function Version({ version }: { version: PlanVersion }) {
  const t = useText()
  const language = useLanguage()
  const { standing, changes } = version
  return (
    <Card
      title={t('dao.version', { version: version.version })}
      aside={<Pill tone={tones[standing]}>{t(`dao.standings.${standing}`)}</Pill>}
    >
      <Rows>
        <Row label={t('dao.publishedAt')}>{formatMoment(version.publishedAt, language)}</Row>
        <Row label={t('dao.startsAt')}>{formatMoment(version.startsAt, language)}</Row>
      </Rows>
      {standing === 'overtaken' && <p className={styles.small}>{t('dao.overtaken')}</p>}
      {version.leavingHarder && <p className={styles.small}>{t('dao.leavingHarder')}</p>}
      {changes.length === 0 ? (
        <p className={styles.small}>{version.version === 1 ? t('dao.firstVersion') : t('dao.sameVersion')}</p>
      ) : (
        <details className={own.details}>
          <summary>
            {t('dao.changes.number', { number: changes.length })}
            <ChevronDown size={18} aria-hidden="true" />
          </summary>
          <PlanChanges changes={changes} />
        </details>
      )}
    </Card>
  )
}

function VersionSkeleton() {
  const t = useText()
  return (
    <Card title={t('dao.tabs.plan')}>
      <Rows>
        <Row label={t('dao.publishedAt')}>
          <Skeleton>00 Aaa 0000, 00:00</Skeleton>
        </Row>
        <Row label={t('dao.startsAt')}>
          <Skeleton>00 Aaa 0000, 00:00</Skeleton>
        </Row>
      </Rows>
    </Card>
  )
}
