import { FileDown, Printer } from 'lucide-react'
import { useState } from 'react'
import { csvFile } from '../../shared/csv/index.ts'
import { formatDay, formatMoment } from '../../shared/format/index.ts'
import { useHandOver } from '../../shared/handover/index.ts'
import { type TextFunction, useLanguage, useText } from '../../shared/i18n/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import { useSession } from '../../shared/session/index.ts'
import {
  Button,
  FileNote,
  failedToLoad,
  HandedFileNote,
  Loaded,
  OwnAmounts,
  RefreshButton,
  StaleNote,
  StateNote,
  TopBar,
  View,
} from '../../shared/ui/index.ts'
import { dayNumberOf, HiddenNote, type Period, type PeriodChoice, PeriodPicker } from '../wallet/index.ts'
import { AccountCard, PeriodCard } from './AccountCard.tsx'
import { type PrintOutcome, printPage } from './print-page.ts'
import styles from './statement.module.css'
import { buildPeriodCsv, buildStatementCsv, periodCsvName, statementCsvName } from './statement-csv.ts'
import { hasEntries, hasPeriodEntries } from './statement-parts.ts'
import { TotalCard } from './TotalCard.tsx'
import { type PeriodStatement, type Statement, usePeriodStatement, useStatement } from './use-statement.ts'

/** The member's totals since registration, or of a period: on the screen, as a file, and on paper. */
export function StatementView() {
  const t = useText()
  const back = useBack('/wallet')
  const account = useSession((session) => session.account) ?? ''
  const [choice, setChoice] = useState<PeriodChoice>('all')
  const isIncomplete = choice === 'incomplete'
  const period = typeof choice === 'string' ? null : choice
  const whole = useStatement()
  const ofPeriod = usePeriodStatement(period)
  const query = period ? ofPeriod : whole
  const isNew = choice === 'all' && whole.data?.accounts.filter(hasEntries).length === 0
  const file = period ? periodFile(t, ofPeriod.data, account) : wholeFile(t, whole.data, account)
  return (
    <View
      centered={(!isIncomplete && failedToLoad(query)) || isNew}
      onRefresh={query.refetch}
      top={
        <TopBar title={t('shell.titles.statement')} onBack={back} end={<RefreshButton onRefresh={query.refetch} />} />
      }
      foot={file && !isNew && !isIncomplete && <Actions file={file} />}
    >
      {isNew ? (
        <StateNote title={t('common.list.empty')} text={t('statement.empty')} />
      ) : (
        <OwnAmounts>
          <HiddenNote />
          <PeriodPicker onPeriod={setChoice} />
          <p className={styles.account}>{account}</p>
          {isIncomplete && <p>{t('wallet.period.choose')}</p>}
          {!isIncomplete && query.isRefetchError && <StaleNote since={query.dataUpdatedAt} />}
          {period && <PeriodPart period={period} query={ofPeriod} />}
          {choice === 'all' && <WholePart query={whole} />}
        </OwnAmounts>
      )}
    </View>
  )
}

type LoadedTexts = { failed: string; offline: string }
const useLoadedTexts = (): LoadedTexts => {
  const t = useText()
  return { failed: t('statement.failed'), offline: t('statement.offlineText') }
}

function WholePart({ query }: { query: ReturnType<typeof useStatement> }) {
  const t = useText()
  return (
    <Loaded query={query} {...useLoadedTexts()}>
      {(data) => (
        <>
          <TotalCard statement={data} />
          {data?.accounts.filter(hasEntries).map((one) => (
            <AccountCard key={one.symbol} account={one} />
          ))}
          {data && <p className={styles.small}>{t('statement.about')}</p>}
        </>
      )}
    </Loaded>
  )
}

function PeriodPart({ period, query }: { period: Period; query: ReturnType<typeof usePeriodStatement> }) {
  const t = useText()
  const language = useLanguage()
  const show = (day: string) => formatDay(dayNumberOf(day), language)
  return (
    <Loaded query={query} {...useLoadedTexts()}>
      {(data) => {
        const used = data?.accounts.filter(hasPeriodEntries)
        return (
          <>
            <div>
              <h2>{t('statement.days', { from: show(period.from), to: show(period.to) })}</h2>
              {data && <p className={styles.small}>{t('statement.asOf', { time: formatMoment(data.at, language) })}</p>}
            </div>
            {used?.length === 0 && <p>{t('statement.nothing')}</p>}
            {used?.map((one) => (
              <PeriodCard key={one.symbol} account={one} />
            ))}
            {data && <p className={styles.small}>{t('statement.aboutDays')}</p>}
          </>
        )
      }}
    </Loaded>
  )
}

type MakeFile = () => File

const wholeFile = (t: TextFunction, data: Statement | undefined, account: string): MakeFile | undefined =>
  data && (() => csvFile(statementCsvName(data.at), buildStatementCsv(t, data, account)))

const periodFile = (t: TextFunction, data: PeriodStatement | undefined, account: string): MakeFile | undefined =>
  data && (() => csvFile(periodCsvName(data), buildPeriodCsv(t, data, account)))

function Actions({ file }: { file: MakeFile }) {
  const t = useText()
  const { handed, hand, forget } = useHandOver()
  const [unprinted, setUnprinted] = useState<{ why: Exclude<PrintOutcome, 'began'>; file: File } | null>(null)

  async function save(): Promise<void> {
    setUnprinted(null)
    await hand(file())
  }

  async function print(): Promise<void> {
    forget()
    setUnprinted(null)
    const printing = await printPage()
    if (printing !== 'began') setUnprinted({ why: printing, file: file() })
  }

  return (
    <div className={styles.foot}>
      <HandedFileNote handed={handed} />
      <FileNote text={unprinted && t(`statement.printing.${unprinted.why}`)} file={unprinted?.file ?? null} />
      <div className={styles.actions}>
        <Button tone="quiet" icon={<FileDown size={18} aria-hidden="true" />} onClick={save}>
          {t('statement.save')}
        </Button>
        <Button tone="quiet" icon={<Printer size={18} aria-hidden="true" />} onClick={print}>
          {t('statement.print')}
        </Button>
      </div>
    </div>
  )
}
