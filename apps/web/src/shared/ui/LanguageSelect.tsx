import { languages } from '@lode/wire'
import { ChevronDown } from 'lucide-react'
import { languageFacts, useLanguage, useText } from '../i18n/index.ts'
import { session } from '../session/index.ts'
import styles from './LanguageSelect.module.css'

/** The browser's own list: every phone and every screen reader knows how to open it, and it weighs nothing. */
export function LanguageSelect() {
  const t = useText()
  const language = useLanguage()
  return (
    <div className={styles.pill}>
      <select
        className={styles.select}
        aria-label={t('common.language')}
        value={language}
        onChange={(event) => {
          const chosen = languages.find((one) => one === event.currentTarget.value)
          if (chosen) session.chooseLanguage(chosen)
        }}
      >
        {languages.map((one) => (
          <option key={one} value={one} lang={languageFacts[one].htmlLang}>
            {languageFacts[one].name}
          </option>
        ))}
      </select>
      <ChevronDown className={styles.arrow} size={16} aria-hidden="true" />
    </div>
  )
}
