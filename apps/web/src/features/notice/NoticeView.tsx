import { useCallback, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Lines } from '../../shared/list/index.ts'
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
import { useNoticeList } from './use-notice-list.ts'
import { markRead, type Notice } from './use-notices.ts'

/** `?id=` opens one notice. */
export function NoticeView({ query }: ViewProps) {
  const t = useText()
  const back = useBack('/setting')
  const isExitSession = useSession(({ exit }) => exit)
  const list = useNoticeList()
  const [open, setOpen] = useState<string | null>(query.id ?? null)
  const toggle = useCallback((id: string) => setOpen((before) => (before === id ? null : id)), [])
  const { items } = list
  const unread = list.lastPage?.unread ?? 0
  const newest = items?.[0]
  return (
    <View
      centered={failedToLoad({ ...list, data: items }) || items?.length === 0}
      onRefresh={list.refetch}
      top={<TopBar title={t('shell.titles.notice')} onBack={back} end={<RefreshButton onRefresh={list.refetch} />} />}
    >
      <Loaded query={{ ...list, data: items }} failed={t('notice.failed')} offline={t('notice.offlineText')}>
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
              <Lines
                items={items}
                keyOf={noticeId}
                waiting={6}
                isComplete={!list.hasNextPage}
                line={(item, index) => (
                  <NoticeLine
                    key={item?.id ?? index}
                    notice={item}
                    open={item !== undefined && open === item.id}
                    onToggle={toggle}
                  />
                )}
              />
              {items && <ListEnd state={listEnd(list)} onMore={() => void list.fetchNextPage()} />}
            </>
          )
        }
      </Loaded>
    </View>
  )
}

const noticeId = ({ id }: Notice): string => id
