import { useState } from 'react'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Button, Card, Pill, Row, Rows } from '../../shared/ui/index.ts'
import styles from './protection.module.css'
import type { Protection } from './protection-state.ts'
import { TransferLockSheet } from './TransferLockSheet.tsx'
import { useRemaining } from './use-protection.ts'

export function TransferLockCard({ protection, now }: { protection: Protection; now: number }) {
  const t = useText()
  const language = useLanguage()
  const remaining = useRemaining()
  const [asking, setAsking] = useState(false)
  const until = protection.transfersLockedUntil
  return (
    <Card
      title={t('protection.lock.title')}
      aside={
        until ? (
          <Pill tone="lode">{t('protection.lock.on')}</Pill>
        ) : (
          <Pill tone="neutral">{t('protection.lock.off')}</Pill>
        )
      }
    >
      <p className={styles.small}>{t('protection.lock.whatFor')}</p>
      {until && (
        <Rows>
          <Row label={t('protection.endsAt', { moment: formatMoment(until, language) })}>
            {t('protection.endsIn', { time: remaining(until, now) })}
          </Row>
        </Rows>
      )}
      {protection.fundPassword.chosen && (
        <Button tone="quiet" onClick={() => setAsking(true)}>
          {until ? t('protection.lock.extend') : t('protection.lock.start')}
        </Button>
      )}
      {asking && <TransferLockSheet until={until} now={now} onClose={() => setAsking(false)} />}
    </Card>
  )
}
