import type { DataOf } from '@lode/wire'
import { Link } from 'react-router'
import { formatWholeAmount, isZero } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Note } from '../../shared/ui/index.ts'
import styles from './rewards.module.css'

type Thanksgiving = Pick<DataOf<'promotion/overview'>['thanksgiving'], 'pending'>

/** A note that Thanksgiving rewards wait, with a link to claim them. Draws nothing if none wait. */
export function PendingThanksgiving({ thanksgiving }: { thanksgiving: Thanksgiving | undefined }) {
  const t = useText()
  if (!thanksgiving || isZero(thanksgiving.pending)) return null
  const amount = formatWholeAmount(thanksgiving.pending, 'USDT')
  return (
    <Note tone="lode">
      <p>{t('rewards.pending', { amount })}</p>
      <Link className={styles.claim} to="/promotion">
        {t('rewards.toClaim')}
      </Link>
    </Note>
  )
}
