import { Suspense, useState } from 'react'
import { loadMemberTexts, useText } from '../../shared/i18n/index.ts'
import { lazyComponent } from '../../shared/parts/index.ts'
import styles from './sign-in.module.css'

const PlanSheet = lazyComponent(async () => {
  const [dao] = await Promise.all([import('../dao/index.ts'), loadMemberTexts()])
  return dao.PlanSheet
})

/** Opens the plan on this page, so that visitors can read it before they connect a wallet. */
export function PlanLink() {
  const t = useText()
  const [shown, setShown] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <>
      <button type="button" className={styles.plan} onClick={() => setShown('open')}>
        {t('signIn.plan')}
      </button>
      {shown !== 'never' && (
        <Suspense fallback={null}>
          <PlanSheet open={shown === 'open'} onClose={() => setShown('closed')} />
        </Suspense>
      )}
    </>
  )
}
