export { type HelpFiles, importHelp } from './help.ts'
export { prepareNotice } from './notices.ts'
export { mountContent } from './routes.ts'
