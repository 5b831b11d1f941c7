import type { DataOf } from '@lode/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { readPages } from '../../shared/api/index.ts'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Button, Loaded, Sheet, Skeleton, StateNote } from '../../shared/ui/index.ts'
import { deviceName } from './device-name.ts'
import styles from './protection.module.css'

type SecurityLogLine = DataOf<'account/security-log'>['items'][number]

export function SecurityLogSheet({ onClose }: { onClose: () => void }) {
  const t = useText()
  const log = useInfiniteQuery(readPages('account/security-log', {}))
  const { data, isFetching, hasNextPage, fetchNextPage } = log
  const lines = data?.pages.flatMap((page) => page.items)
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('security.log.title')}
      text={t('security.log.text')}
      foot={
        hasNextPage && (
          <Button tone="quiet" busy={isFetching} onClick={() => fetchNextPage()}>
            {t('security.log.more')}
          </Button>
        )
      }
    >
      <Loaded quiet query={log} failed={t('security.log.failed')}>
        {() =>
          lines ? (
            lines.length === 0 ? (
              <StateNote title={t('security.log.empty')} />
            ) : (
              <ol className={styles.list}>
                {lines.map((line) => (
                  <SecurityLine key={line.id} line={line} />
                ))}
              </ol>
            )
          ) : (
            <p>
              <Skeleton>{t('security.log.kinds.fund-password-chosen')}</Skeleton>
            </p>
          )
        }
      </Loaded>
    </Sheet>
  )
}

function SecurityLine({ line }: { line: SecurityLogLine }) {
  const t = useText()
  const language = useLanguage()
  const details = {
    until: line.until ? formatMoment(line.until, language) : '',
    // In full: the member may have to compare it.
    address: line.address ?? '',
  }
  return (
    <li className={styles.line}>
      <p className={styles.wrapped}>{t(`security.log.kinds.${line.kind}`, details)}</p>
      <p className={styles.small}>
        <time dateTime={line.at}>{formatMoment(line.at, language)}</time>
        {line.device && ` · ${t('security.log.by', { device: deviceName(t, line.device) })}`}
      </p>
    </li>
  )
}
