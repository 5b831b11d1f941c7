import { ChevronDown } from 'lucide-react'
import { memo, useEffect, useId } from 'react'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Pill, Skeleton } from '../../shared/ui/index.ts'
import { PlanChanges } from '../plan/index.ts'
import styles from './NoticeLine.module.css'
import { noticeParagraphs, noticeTitle } from './notice-text.ts'
import { markRead, type Notice } from './use-notices.ts'

type NoticeLineProps = { notice: Notice | undefined; open: boolean; onToggle: (id: string) => void }

/** One notice by its title. Opening it shows its text and marks it as read. Memoized for long lists. */
export const NoticeLine = memo(function NoticeLine({ notice, open, onToggle }: NoticeLineProps) {
  const t = useText()
  const language = useLanguage()
  const body = useId()
  const newlyRead = notice && open && !notice.read ? notice : null
  useEffect(() => {
    if (newlyRead !== null) void markRead({ notice: newlyRead })
  }, [newlyRead])

  if (!notice)
    return (
      <li className={styles.line}>
        <span className={styles.head}>
          <span className={styles.words}>
            <span className={styles.title}>
              <Skeleton>{t('notice.none')}</Skeleton>
            </span>
            <span className={styles.at}>
              <Skeleton>00 Aaa 0000, 00:00</Skeleton>
            </span>
          </span>
        </span>
      </li>
    )
  return (
    <li className={styles.line}>
      <h2>
        <button
          type="button"
          className={styles.head}
          aria-expanded={open}
          aria-controls={body}
          onClick={() => onToggle(notice.id)}
        >
          <span className={styles.words}>
            <span className={styles.title} data-unread={notice.read ? undefined : ''}>
              {noticeTitle(t, notice, language)}
            </span>
            <span className={styles.at}>
              {formatMoment(notice.at, language)}
              {!notice.read && <Pill tone="lode">{t('notice.new')}</Pill>}
            </span>
          </span>
          <ChevronDown className={styles.arrow} size={20} aria-hidden="true" />
        </button>
      </h2>
      <div id={body} className={styles.body} hidden={!open}>
        {noticeParagraphs(t, notice, language).map((paragraph, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was published never changes
          <p key={index}>{paragraph}</p>
        ))}
        {notice.kind === 'plan' && <PlanChanges changes={notice.changes} />}
      </div>
    </li>
  )
})
