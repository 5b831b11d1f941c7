export { type ErrorText, loadMemberTexts, startI18n, text, useLanguage, useText } from './i18n.ts'
export { languageFacts } from './languages.ts'
export type { TextFunction } from './text-lookup.ts'
