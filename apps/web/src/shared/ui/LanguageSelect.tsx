import { languages } from '@lode/wire'
import { languageFacts, useLanguage, useText } from '../i18n/index.ts'
import { session } from '../session/index.ts'
import { Select } from './Select.tsx'

const options = languages.map((language) => ({
  value: language,
  text: languageFacts[language].name,
  lang: languageFacts[language].htmlLang,
}))

export function LanguageSelect() {
  const t = useText()
  return (
    <Select label={t('common.language')} value={useLanguage()} options={options} onValue={session.chooseLanguage} />
  )
}
