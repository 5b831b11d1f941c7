export { type ErrorText, loadTextsOfMembers, startI18n, text, useLanguage, useText } from './i18n.ts'
export { languageFacts } from './languages.ts'
