import { useEffect, useState } from 'react'
import { type Failure, failureText, logOut } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button, focusShownMain, LanguageSelect, Logo, Note, TopBar, View } from '../../shared/ui/index.ts'
import { acceptRisks } from './accept-risks.ts'
import styles from './FirstRunView.module.css'
import { RiskList } from './RiskList.tsx'

/**
 * The risk explanation, for members who have not accepted this version. A new member accepts it before registering
 * (InviterSheet.tsx).
 */
export function FirstRunView() {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const title = t('firstRun.title')
  useEffect(() => {
    document.title = `${title} · ${t('common.appName')}`
  }, [title, t])
  // Screen readers start at the beginning of this page and, when it closes, of the next one.
  useEffect(() => {
    focusShownMain()
    return focusShownMain
  }, [])

  async function accept(): Promise<void> {
    setBusy(true)
    setFailure(null)
    const answer = await acceptRisks()
    setBusy(false)
    if (!answer.ok) setFailure(answer.error)
  }

  return (
    <View
      top={<TopBar start={<Logo size={28} bare />} end={<LanguageSelect />} />}
      foot={
        <>
          {failure && (
            <div role="alert" className={styles.failure}>
              <Note tone="rose">{failureText(t, failure)}</Note>
            </div>
          )}
          <Button busy={busy} onClick={() => void accept()}>
            {t('firstRun.accept')}
          </Button>
          <Button tone="plain" onClick={logOut}>
            {t('firstRun.logout')}
          </Button>
        </>
      }
    >
      <div className={styles.head}>
        <h1>{title}</h1>
        <p>{t('firstRun.text')}</p>
      </div>
      <RiskList />
    </View>
  )
}
