import { useState } from 'react'
import { call } from '../../shared/api/index.ts'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { Button, Card, ConfirmDialog, CopyableAddress, Pill } from '../../shared/ui/index.ts'
import { HelpLink } from '../explain/index.ts'
import { OutputAddressSheet } from './OutputAddressSheet.tsx'
import styles from './protection.module.css'
import { type Protection, readProtectionAgain, updateCachedProtection } from './protection-state.ts'
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
  const [openDialog, setOpenDialog] = useState<'change' | 'cancel' | null>(null)
  const bound = protection?.outputAddress
  const waiting = bound?.waiting
  const mayChange = canChange && protection?.fundPassword.chosen && !protection.fundPassword.reset && !waiting

  async function cancel() {
    setOpenDialog(null)
    const cancelled = await call('account/output-address/cancel', {})
    if (!cancelled.ok) return readProtectionAgain()
    updateCachedProtection(cancelled.value)
    toast.success(t('security.address.cancelled'))
  }

  return (
    <Card
      title={t('security.address.title')}
      aside={bound?.own && <Pill tone="neutral">{t('security.address.own')}</Pill>}
    >
      <p className={styles.small}>{t('security.address.whatFor')}</p>
      <CopyableAddress label={t('security.address.bound')} value={bound?.address} />
      {waiting && (
        <div className={styles.waiting}>
          <CopyableAddress label={t('security.address.waiting')} value={waiting.address} />
          {Date.parse(waiting.bindsAt) > now ? (
            <p className={styles.when}>
              {t('security.address.bindsIn', { time: remaining(waiting.bindsAt, now) })}
              <span className={styles.moment}>{formatMoment(waiting.bindsAt, language)}</span>
            </p>
          ) : (
            <p className={styles.small}>{t('security.address.notVerified')}</p>
          )}
          <p className={styles.small}>{t('security.address.waitingText')}</p>
          <Button tone="quiet" onClick={() => setOpenDialog('cancel')}>
            {t('security.address.cancel')}
          </Button>
        </div>
      )}
      {mayChange && (
        <Button tone="quiet" onClick={() => setOpenDialog('change')}>
          {t('security.address.change')}
        </Button>
      )}
      <HelpLink article="output-address" text={t('security.address.help')} />
      {openDialog === 'change' && protection && (
        <OutputAddressSheet protection={protection} onClose={() => setOpenDialog(null)} />
      )}
      <ConfirmDialog
        open={openDialog === 'cancel'}
        title={t('security.address.cancelTitle')}
        text={t('security.address.cancelText')}
        confirm={t('security.address.cancel')}
        keep={t('security.address.keep')}
        onConfirm={cancel}
        onClose={() => setOpenDialog(null)}
      />
    </Card>
  )
}
