import { useState } from 'react'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Button, Card, Pill, Row, Rows, Skeleton } from '../../shared/ui/index.ts'
import styles from './protection.module.css'
import type { Protection } from './protection-state.ts'
import { TransferLockSheet } from './TransferLockSheet.tsx'
import { useRemaining } from './use-protection.ts'

export function TransferLockCard({ protection, now }: { protection: Protection | undefined; now: number }) {
  const t = useText()
  const language = useLanguage()
  const remaining = useRemaining()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const until = protection?.transfersLockedUntil ?? null
  const state = until ? t('security.lock.on') : t('security.lock.off')
  return (
    <Card
      title={t('security.lock.title')}
      aside={<Pill tone={until ? 'lode' : 'neutral'}>{protection ? state : <Skeleton>{state}</Skeleton>}</Pill>}
    >
      <p className={styles.small}>{t('security.lock.whatFor')}</p>
      {until && (
        <Rows>
          <Row label={t('protection.endsAt', { moment: formatMoment(until, language) })}>
            {t('protection.endsIn', { time: remaining(until, now) })}
          </Row>
        </Rows>
      )}
      {protection?.fundPassword.chosen && (
        <Button tone="quiet" onClick={() => setSheetOpen(true)}>
          {until ? t('security.lock.extend') : t('security.lock.start')}
        </Button>
      )}
      {isSheetOpen && <TransferLockSheet until={until} now={now} onClose={() => setSheetOpen(false)} />}
    </Card>
  )
}
