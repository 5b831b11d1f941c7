export { HelpView } from './HelpView.tsx'
