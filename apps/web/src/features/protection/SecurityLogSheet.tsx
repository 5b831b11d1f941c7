import type { DataOf } from '@lode/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CallError, call, errorText } from '../../shared/api/index.ts'
import { formatMoment, unbrokenAddress } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { session } from '../../shared/session/index.ts'
import { Button, LoadingStatus, Sheet, Skeleton, StateNote } from '../../shared/ui/index.ts'
import { deviceName } from './device-name.ts'
import styles from './protection.module.css'

type Line = DataOf<'account/security-log'>['items'][number]

export function SecurityLogSheet({ onClose }: { onClose: () => void }) {
  const t = useText()
  const { data, error, isPaused, isFetching, refetch, hasNextPage, fetchNextPage } = useSecurityLog()
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
      {lines ? (
        lines.length === 0 ? (
          <StateNote title={t('protection.log.empty')} />
        ) : (
          <ol className={styles.list}>
            {lines.map((line) => (
              <SecurityLine key={line.id} line={line} />
            ))}
          </ol>
        )
      ) : error || isPaused ? (
        <StateNote title={t('protection.log.failed')} text={error ? errorText(t, error) : t('errors.noResponse')}>
          <Button tone="quiet" busy={isFetching} onClick={() => refetch()}>
            {t('common.retry')}
          </Button>
        </StateNote>
      ) : (
        <>
          <LoadingStatus />
          <p>
            <Skeleton>{t('protection.log.kinds.fund-password-chosen')}</Skeleton>
          </p>
        </>
      )}
    </Sheet>
  )
}

const useSecurityLog = () =>
  useInfiniteQuery({
    queryKey: ['account/security-log', session.get().account],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const request = pageParam === null ? {} : { cursor: pageParam }
      const page = await call('account/security-log', request, { quiet: true, signal })
      if (!page.ok) throw new CallError(page.error)
      return page.value
    },
    getNextPageParam: (page) => page.next,
  })

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
