import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button, Card } from '../../shared/ui/index.ts'
import styles from './protection.module.css'
import { SecurityLogSheet } from './SecurityLogSheet.tsx'

export function SecurityLogCard() {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <Card title={t('security.log.title')}>
      <p className={styles.small}>{t('security.log.text')}</p>
      <Button tone="quiet" onClick={() => setOpen(true)}>
        {t('security.log.open')}
      </Button>
      {open && <SecurityLogSheet onClose={() => setOpen(false)} />}
    </Card>
  )
}
