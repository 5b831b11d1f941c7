import { useState } from 'react'
import { call } from '../../shared/api/index.ts'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { Button, Card, ConfirmDialog, CopyableAddress, Pill } from '../../shared/ui/index.ts'
import { OutputAddressSheet } from './OutputAddressSheet.tsx'
import styles from './protection.module.css'
import { type Protection, showProtection } from './protection-state.ts'
import { useRemaining } from './use-protection.ts'

type OutputAddressCardProps = {
  protection: Protection | undefined
  now: number
  /** An exit session can cancel a change but not request one. */
  canChange: boolean
}

export function OutputAddressCard({ protection, now, canChange }: OutputAddressCardProps) {
  const t = useText()
  const language = useLanguage()
  const remaining = useRemaining()
  const [asking, setAsking] = useState<'change' | 'cancel' | null>(null)
  const bound = protection?.outputAddress
  const waiting = bound?.waiting
  const mayChange = canChange && protection?.fundPassword.chosen && !protection.fundPassword.reset && !waiting

  async function cancel() {
    setAsking(null)
    const cancelled = await call('account/output-address/cancel', {})
    if (!cancelled.ok) return
    showProtection(cancelled.value)
    toast.success(t('protection.address.cancelled'))
  }

  return (
    <Card
      title={t('protection.address.title')}
      aside={bound?.own && <Pill tone="neutral">{t('protection.address.own')}</Pill>}
    >
      <p className={styles.small}>{t('protection.address.whatFor')}</p>
      <CopyableAddress label={t('protection.address.bound')} value={bound?.address} />
      {waiting && (
        <div className={styles.waiting}>
          <CopyableAddress label={t('protection.address.waiting')} value={waiting.address} />
          <p className={styles.when}>
            {t('protection.address.bindsIn', { time: remaining(waiting.bindsAt, now) })}
            <span className={styles.moment}>{formatMoment(waiting.bindsAt, language)}</span>
          </p>
          <Button tone="quiet" onClick={() => setAsking('cancel')}>
            {t('protection.address.cancel')}
          </Button>
        </div>
      )}
      {mayChange && (
        <Button tone="quiet" onClick={() => setAsking('change')}>
          {t('protection.address.change')}
        </Button>
      )}
      {asking === 'change' && protection && (
        <OutputAddressSheet protection={protection} onClose={() => setAsking(null)} />
      )}
      <ConfirmDialog
        open={asking === 'cancel'}
        title={t('protection.address.cancelTitle')}
        text={t('protection.address.cancelText')}
        confirm={t('protection.address.cancel')}
        keep={t('protection.address.keep')}
        onConfirm={cancel}
        onClose={() => setAsking(null)}
      />
    </Card>
  )
}
