import { useState } from 'react'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Button, Card, Pill, Row, Rows, Skeleton } from '../../shared/ui/index.ts'
import { CancelResetSheet } from './CancelResetSheet.tsx'
import { ChangePasswordSheet } from './ChangePasswordSheet.tsx'
import { ChoosePasswordSheet } from './ChoosePasswordSheet.tsx'
import styles from './protection.module.css'
import type { Protection } from './protection-state.ts'
import { ResetPasswordSheet } from './ResetPasswordSheet.tsx'
import { useRemaining } from './use-protection.ts'

type PasswordSheetName = 'choose' | 'change' | 'reset' | 'cancel-reset'

export function FundPasswordCard({ protection, now }: { protection: Protection | undefined; now: number }) {
  const t = useText()
  const language = useLanguage()
  const remaining = useRemaining()
  const [openSheet, setOpenSheet] = useState<PasswordSheetName | null>(null)
  const close = () => setOpenSheet(null)
  const state = protection?.fundPassword

  return (
    <Card title={t('protection.password.title')} aside={<StatePill protection={protection} />}>
      <p className={styles.small}>{t('protection.password.whatFor')}</p>
      {state?.reset && (
        <Rows>
          <Row label={t('protection.password.waiting')}>
            {t('protection.endsIn', { time: remaining(state.reset.endsAt, now) })}
            <span className={styles.moment}>{formatMoment(state.reset.endsAt, language)}</span>
          </Row>
        </Rows>
      )}
      {state?.lockedUntil && (
        <Rows>
          <Row label={t('protection.password.locked')}>
            {t('protection.endsIn', { time: remaining(state.lockedUntil, now) })}
          </Row>
        </Rows>
      )}
      {state && (
        <div className={styles.actions}>
          {state.reset ? (
            state.chosen && (
              <Button tone="quiet" onClick={() => setOpenSheet('cancel-reset')}>
                {t('security.password.cancelReset')}
              </Button>
            )
          ) : state.chosen ? (
            <Button tone="quiet" onClick={() => setOpenSheet('change')}>
              {t('security.password.change')}
            </Button>
          ) : (
            <Button onClick={() => setOpenSheet('choose')}>{t('protection.password.choose')}</Button>
          )}
          {!state.reset && (
            <Button tone="plain" onClick={() => setOpenSheet('reset')}>
              {state.chosen ? t('security.password.reset') : t('security.password.resetTitle')}
            </Button>
          )}
        </div>
      )}
      {openSheet === 'choose' && <ChoosePasswordSheet open onClose={close} />}
      {openSheet === 'change' && <ChangePasswordSheet onClose={close} />}
      {openSheet === 'reset' && <ResetPasswordSheet onClose={close} />}
      {openSheet === 'cancel-reset' && <CancelResetSheet onClose={close} />}
    </Card>
  )
}

function StatePill({ protection }: { protection: Protection | undefined }) {
  const t = useText()
  if (!protection)
    return (
      <Pill tone="neutral">
        <Skeleton>{t('protection.password.set')}</Skeleton>
      </Pill>
    )
  return protection.fundPassword.chosen ? (
    <Pill tone="jade">{t('protection.password.set')}</Pill>
  ) : (
    <Pill tone="lode">{t('protection.password.unset')}</Pill>
  )
}
