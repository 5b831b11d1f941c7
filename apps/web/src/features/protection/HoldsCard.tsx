import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, Row, Rows } from '../../shared/ui/index.ts'
import styles from './protection.module.css'
import type { Protection } from './protection-state.ts'
import { useRemaining } from './use-protection.ts'

/** Every hold with its reason and its end. Draws nothing if there is none. */
export function HoldsCard({ protection, now }: { protection: Protection; now: number }) {
  const t = useText()
  if (protection.holds.length === 0) return null
  return (
    <Card title={t('security.holds.title')}>
      <p className={styles.small}>{t('security.holds.text')}</p>
      <HoldRows holds={protection.holds} now={now} />
    </Card>
  )
}

/** The holds as rows, and why there are holds. */
export function HoldRows({ holds, now }: { holds: Protection['holds']; now: number }) {
  const t = useText()
  const language = useLanguage()
  const remaining = useRemaining()
  return (
    <>
      <Rows>
        {holds.map(({ reason, endsAt }) => (
          <Row key={reason} label={t(`security.holds.${reason}`)}>
            {t('protection.endsIn', { time: remaining(endsAt, now) })}
            <span className={styles.moment}>{formatMoment(endsAt, language)}</span>
          </Row>
        ))}
      </Rows>
      <p className={styles.small}>{t('security.holds.why')}</p>
    </>
  )
}
