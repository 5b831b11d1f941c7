export { DaoView } from './DaoView.tsx'
export { PlanSheet } from './PlanSheet.tsx'
