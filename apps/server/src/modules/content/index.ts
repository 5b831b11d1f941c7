export { type HelpFiles, importHelp } from './help.ts'
export { publishNotice } from './notices.ts'
export { mountContent } from './routes.ts'
