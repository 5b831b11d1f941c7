import { TriangleAlert } from 'lucide-react'
import { useText } from '../../shared/i18n/index.ts'
import { Button, Sheet } from '../../shared/ui/index.ts'
import { RiskList, risks } from '../first-run/index.ts'
import styles from './sign-in.module.css'

type InviterSheetProps = { tail: string; onConfirm: () => void; onClose: () => void }

/**
 * Asks for a last confirmation, because the inviter can never be changed. The risks are shown here, before anything is
 * bound.
 */
export function InviterSheet({ tail, onConfirm, onClose }: InviterSheetProps) {
  const t = useText()
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('signIn.confirm.title')}
      foot={
        <>
          <p className={styles.preview}>{t('firstRun.byConfirming')}</p>
          <Button onClick={onConfirm}>{t('signIn.confirm.agree')}</Button>
          <Button tone="plain" onClick={onClose}>
            {t('signIn.confirm.otherCode')}
          </Button>
        </>
      }
    >
      <div className={styles.inviter}>
        <p className={styles.small}>{t('signIn.confirm.text')}</p>
        <p className={styles.tail}>…{tail}</p>
        <p className={styles.small}>{t('signIn.confirm.compare')}</p>
      </div>
      <p className={styles.forEver}>
        <TriangleAlert size={18} aria-hidden="true" />
        {t('signIn.confirm.forEver')}
      </p>
      <h2 className={styles.risksTitle}>{t('firstRun.risksTitle', { count: risks.length })}</h2>
      <RiskList />
      <p className={styles.small}>
        {t('signIn.confirm.next')}
        <br />
        {t('signIn.means.register')}
      </p>
    </Sheet>
  )
}
