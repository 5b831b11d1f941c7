import { RISK_VERSION } from '@lode/wire'
import { useEffect, useState } from 'react'
import { call, type Failure, failureText, logOut, queryClient, read } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { session } from '../../shared/session/index.ts'
import { Button, focusShownMain, LanguageSelect, Logo, Note, TopBar, View } from '../../shared/ui/index.ts'
import type { Profile } from '../profile/index.ts'
import styles from './FirstRunView.module.css'

/** In reading order: from what members expect to the general risks. */
const risks = ['return', 'value', 'promotion', 'pledge', 'people', 'wallet', 'law'] as const

/** The risk explanation. It is shown before any other page until the member has accepted this version. */
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
    const { account } = session.get()
    setBusy(true)
    setFailure(null)
    const answer = await call('account/accept-risk', { version: RISK_VERSION }, { quiet: true })
    setBusy(false)
    if (!answer.ok) return setFailure(answer.error)
    if (session.get().account !== account) return
    const { queryKey } = read('account/profile', {})
    queryClient.setQueryData<Profile>(queryKey, (profile) => profile && { ...profile, risk: answer.value })
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
      <ul className={styles.risks}>
        {risks.map((risk) => (
          <li key={risk}>
            <h2>{t(`firstRun.risks.${risk}.title`)}</h2>
            <p>{t(`firstRun.risks.${risk}.text`)}</p>
          </li>
        ))}
      </ul>
      <p className={styles.bearable}>{t('firstRun.bearable')}</p>
    </View>
  )
}
