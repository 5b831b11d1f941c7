import type { DataOf } from '@lode/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { readPages } from '../../shared/api/index.ts'
import { formatMoment, unbrokenAddress } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Button, Loaded, Sheet, Skeleton, StateNote } from '../../shared/ui/index.ts'
import { deviceName } from './device-name.ts'
import styles from './protection.module.css'

type Line = DataOf<'account/security-log'>['items'][number]

export function SecurityLogSheet({ onClose }: { onClose: () => void }) {
  const t = useText()
  const log = useInfiniteQuery(readPages('account/security-log', {}))
  const { data, isFetching, hasNextPage, fetchNextPage } = log
  const lines = data?.pages.flatMap((page) => page.items)
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('protection.log.title')}
      text={t('protection.log.text')}
      foot={
        hasNextPage && (
          <Button tone="quiet" busy={isFetching} onClick={() => fetchNextPage()}>
            {t('protection.log.more')}
          </Button>
        )
      }
    >
      <Loaded quiet query={log} failed={t('protection.log.failed')}>
        {() =>
          lines ? (
            lines.length === 0 ? (
              <StateNote title={t('protection.log.empty')} />
            ) : (
              <ol className={styles.list}>
                {lines.map((line) => (
                  <SecurityLine key={line.id} line={line} />
                ))}
              </ol>
            )
          ) : (
            <p>
              <Skeleton>{t('protection.log.kinds.fund-password-chosen')}</Skeleton>
            </p>
          )
        }
      </Loaded>
    </Sheet>
  )
}

function SecurityLine({ line }: { line: Line }) {
  const t = useText()
  const language = useLanguage()
  const details = {
    until: line.until ? formatMoment(line.until, language) : '',
    address: line.address ? unbrokenAddress(line.address) : '',
  }
  return (
    <li className={styles.line}>
      <p>{t(`protection.log.kinds.${line.kind}`, details)}</p>
      <p className={styles.small}>
        <time dateTime={line.at}>{formatMoment(line.at, language)}</time>
        {line.device && ` · ${t('protection.log.by', { device: deviceName(t, line.device) })}`}
      </p>
    </li>
  )
}
