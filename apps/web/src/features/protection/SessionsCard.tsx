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
import { invalidateSecurityQueries } from './protection-state.ts'

type Session = DataOf<'account/sessions'>['items'][number]

export function SessionsCard() {
  const t = useText()
  const query = useQuery(read('account/sessions', {}))
  const [ending, setEnding] = useState<Session | 'others' | null>(null)

  async function end(target: Session | 'others') {
    setEnding(null)
    const ended = await call('account/sessions/revoke', { session: target === 'others' ? target : target.id })
    // A refusal means that the session has already ended; without an answer the outcome is unknown. So the list is
    // always read again.
    invalidateSecurityQueries()
    if (ended.ok)
      toast.success(target === 'others' ? t('security.sessions.revokedOthers') : t('security.sessions.revoked'))
  }

  return (
    <Card title={t('security.sessions.title')}>
      <Loaded quiet query={query} failed={t('security.sessions.failed')}>
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
                  {t('security.sessions.revokeOthers')}
                </Button>
              )}
            </>
          ) : (
            <p>
              <Skeleton>{t('security.sessions.unknown')}</Skeleton>
            </p>
          )
        }
      </Loaded>
      <ConfirmDialog
        open={ending !== null}
        title={ending === 'others' ? t('security.sessions.revokeOthersTitle') : t('security.sessions.revokeTitle')}
        text={
          ending === null || ending === 'others'
            ? t('security.sessions.revokeOthersText')
            : t('security.sessions.revokeText', { device: deviceName(t, ending.device) })
        }
        confirm={t('security.sessions.revoke')}
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
          {session.current && <Pill tone="jade">{t('security.sessions.current')}</Pill>}
        </p>
        {session.mode === 'exit' && <p className={styles.small}>{t('security.sessions.exit')}</p>}
        <p className={styles.small}>
          {t('security.sessions.signedIn', { moment: formatMoment(session.createdAt, language) })}
        </p>
        <p className={styles.small}>
          {t('security.sessions.lastAction', { moment: formatMoment(session.lastActionAt, language) })}
        </p>
      </div>
      {!session.current && (
        <button
          type="button"
          className={styles.end}
          aria-label={t('security.sessions.revokeThat', { device: name })}
          onClick={onEnd}
        >
          {t('security.sessions.revoke')}
        </button>
      )}
    </li>
  )
}
