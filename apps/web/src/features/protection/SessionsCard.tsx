import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, read } from '../../shared/api/index.ts'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { Button, Card, ConfirmDialog, Loaded, Pill, Skeleton } from '../../shared/ui/index.ts'
import { deviceName } from './device-name.ts'
import styles from './protection.module.css'
import { tellOfChange } from './protection-state.ts'

type Session = DataOf<'account/sessions'>['items'][number]

export function SessionsCard() {
  const t = useText()
  const query = useQuery(read('account/sessions', {}))
  const [ending, setEnding] = useState<Session | 'others' | null>(null)

  async function end(which: Session | 'others') {
    setEnding(null)
    const ended = await call('account/sessions/revoke', { session: which === 'others' ? which : which.id })
    // A refusal means that the session has already ended. The list is read again in both cases.
    tellOfChange()
    if (ended.ok)
      toast.success(which === 'others' ? t('protection.sessions.revokedOthers') : t('protection.sessions.revoked'))
  }

  return (
    <Card title={t('protection.sessions.title')}>
      <Loaded quiet query={query} failed={t('protection.sessions.failed')}>
        {(data) =>
          data ? (
            <>
              <ul className={styles.list}>
                {data.items.map((session) => (
                  <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
                ))}
              </ul>
              {data.items.length > 1 && (
                <Button tone="quiet" onClick={() => setEnding('others')}>
                  {t('protection.sessions.revokeOthers')}
                </Button>
              )}
            </>
          ) : (
            <p>
              <Skeleton>{t('protection.sessions.unknown')}</Skeleton>
            </p>
          )
        }
      </Loaded>
      <ConfirmDialog
        open={ending !== null}
        title={ending === 'others' ? t('protection.sessions.revokeOthersTitle') : t('protection.sessions.revokeTitle')}
        text={
          ending === null || ending === 'others'
            ? t('protection.sessions.revokeOthersText')
            : t('protection.sessions.revokeText', { device: deviceName(t, ending.device) })
        }
        confirm={t('protection.sessions.revoke')}
        onConfirm={() => ending !== null && end(ending)}
        onClose={() => setEnding(null)}
      />
    </Card>
  )
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const t = useText()
  const language = useLanguage()
  const name = deviceName(t, session.device)
  return (
    <li className={styles.session}>
      <div>
        <p className={styles.device}>
          {name}
          {session.current && <Pill tone="jade">{t('protection.sessions.current')}</Pill>}
        </p>
        {session.mode === 'exit' && <p className={styles.small}>{t('protection.sessions.exit')}</p>}
        <p className={styles.small}>
          {t('protection.sessions.signedIn', { moment: formatMoment(session.createdAt, language) })}
        </p>
        <p className={styles.small}>
          {t('protection.sessions.lastAction', { moment: formatMoment(session.lastActionAt, language) })}
        </p>
      </div>
      {!session.current && (
        <button
          type="button"
          className={styles.end}
          aria-label={t('protection.sessions.revokeThat', { device: name })}
          onClick={onEnd}
        >
          {t('protection.sessions.revoke')}
        </button>
      )}
    </li>
  )
}
