export { StatementView } from './StatementView.tsx'
