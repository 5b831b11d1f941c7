export { IncomeView } from './IncomeView.tsx'
