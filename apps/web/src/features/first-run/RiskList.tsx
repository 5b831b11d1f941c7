import { useText } from '../../shared/i18n/index.ts'
import styles from './RiskList.module.css'

/** In reading order: from what members expect to the general risks. */
export const risks = ['return', 'value', 'promotion', 'pledge', 'people', 'wallet', 'law'] as const

/** The risks in plain words. Its texts are those of `RISK_VERSION`. */
export function RiskList() {
  const t = useText()
  return (
    <>
      <p className={styles.words}>{t('firstRun.words')}</p>
      <ul className={styles.risks}>
        {risks.map((risk) => (
          <li key={risk}>
            <h2>{t(`firstRun.risks.${risk}.title`)}</h2>
            <p>{t(`firstRun.risks.${risk}.text`)}</p>
          </li>
        ))}
      </ul>
      <p className={styles.bearable}>{t('firstRun.bearable')}</p>
    </>
  )
}
