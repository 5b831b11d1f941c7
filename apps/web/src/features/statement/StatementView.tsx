import { FileDown, Printer } from 'lucide-react'
import { useState } from 'react'
import { csvFile } from '../../shared/csv/index.ts'
import { useHandOver } from '../../shared/handover/index.ts'
import { useText } from '../../shared/i18n/index.ts'
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
import { HiddenNote } from '../wallet/index.ts'
import { AccountCard } from './AccountCard.tsx'
import { type PrintOutcome, printPage } from './print-page.ts'
import styles from './statement.module.css'
import { buildStatementCsv, statementCsvName } from './statement-csv.ts'
import { hasEntries } from './statement-parts.ts'
import { TotalCard } from './TotalCard.tsx'
import { type Statement, useStatement } from './use-statement.ts'

/** The member's totals since registration: on the screen, as a file, and on paper. */
export function StatementView() {
  const t = useText()
  const back = useBack('/wallet')
  const account = useSession((session) => session.account) ?? ''
  const query = useStatement()
  const { data, isRefetchError, dataUpdatedAt, refetch } = query
  const used = data?.accounts.filter(hasEntries)
  const isEmpty = used?.length === 0
  return (
    <View
      centered={failedToLoad(query) || isEmpty}
      onRefresh={refetch}
      top={<TopBar title={t('shell.titles.statement')} onBack={back} end={<RefreshButton onRefresh={refetch} />} />}
      foot={data && !isEmpty && <Actions statement={data} account={account} />}
    >
      <Loaded query={query} failed={t('statement.failed')} offline={t('statement.offlineText')}>
        {(data) =>
          isEmpty ? (
            <StateNote title={t('common.list.empty')} text={t('statement.empty')} />
          ) : (
            <OwnAmounts>
              <HiddenNote />
              <p className={styles.account}>{account}</p>
              {isRefetchError && <StaleNote since={dataUpdatedAt} />}
              <TotalCard statement={data} />
              {used?.map((one) => (
                <AccountCard key={one.symbol} account={one} />
              ))}
              {data && <p className={styles.small}>{t('statement.about')}</p>}
            </OwnAmounts>
          )
        }
      </Loaded>
    </View>
  )
}

function Actions({ statement, account }: { statement: Statement; account: string }) {
  const t = useText()
  const { handed, hand, forget } = useHandOver()
  const [unprinted, setUnprinted] = useState<{ why: Exclude<PrintOutcome, 'began'>; file: File } | null>(null)
  const file = () => csvFile(statementCsvName(statement.at), buildStatementCsv(t, statement, account))

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
