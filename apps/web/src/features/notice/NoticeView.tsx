import { useCallback, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { useBack, type ViewProps } from '../../shared/routing/index.ts'
import { useSession } from '../../shared/session/index.ts'
import {
  Button,
  failedToLoad,
  ListEnd,
  Loaded,
  listEnd,
  RefreshButton,
  Skeleton,
  StaleNote,
  StateNote,
  TopBar,
  View,
} from '../../shared/ui/index.ts'
import { NoticeLine } from './NoticeLine.tsx'
import styles from './NoticeView.module.css'
import { markRead, useNotices } from './use-notices.ts'

/** `?id=` opens one notice. */
export function NoticeView({ query }: ViewProps) {
  const t = useText()
  const back = useBack('/setting')
  const isExitSession = useSession(({ exit }) => exit)
  const list = useNotices()
  const [open, setOpen] = useState<string | null>(query.id ?? null)
  const toggle = useCallback((id: string) => setOpen((before) => (before === id ? null : id)), [])
  const items = list.data?.pages.flatMap((page) => page.items)
  const unread = list.data?.pages.at(-1)?.unread ?? 0
  const newest = items?.[0]
  return (
    <View
      centered={failedToLoad(list) || items?.length === 0}
      onRefresh={list.refetch}
      top={
        <TopBar
          title={t('shell.titles.notice')}
          onBack={back}
          end={<RefreshButton onRefresh={() => list.refetch()} />}
        />
      }
    >
      <Loaded query={list} failed={t('notice.failed')} offline={t('notice.offlineText')}>
        {() =>
          items?.length === 0 ? (
            <StateNote title={t('common.list.empty')} text={t('notice.emptyText')} />
          ) : (
            <>
              <div>
                <StaleNote since={list.isRefetchError ? list.dataUpdatedAt : null} />
                {!isExitSession && (
                  <div className={styles.head}>
                    <p role="status">
                      {newest ? (
                        unread > 0 ? (
                          t('notice.unreadCount', { unread })
                        ) : (
                          t('notice.allRead')
                        )
                      ) : (
                        <Skeleton>{t('notice.allRead')}</Skeleton>
                      )}
                    </p>
                    {newest && unread > 0 && (
                      <div className={styles.readAll}>
                        <Button tone="plain" onClick={() => void markRead({ notice: newest, andOlder: true })}>
                          {t('notice.readAll')}
                        </Button>
                      </div>
                    )}
                  </div>
                )}
              </div>
              <ol className={styles.list} aria-hidden={!items} aria-busy={!items}>
                {items
                  ? items.map((item) => (
                      <NoticeLine key={item.id} notice={item} open={open === item.id} onToggle={toggle} />
                    ))
                  : SKELETON_LINES.map((number) => (
                      <NoticeLine key={number} notice={undefined} open={false} onToggle={toggle} />
                    ))}
              </ol>
              {items && <ListEnd state={listEnd(list)} onMore={() => void list.fetchNextPage()} />}
            </>
          )
        }
      </Loaded>
    </View>
  )
}

/** As many placeholder lines as fill a screen. */
const SKELETON_LINES = [1, 2, 3, 4, 5, 6]
