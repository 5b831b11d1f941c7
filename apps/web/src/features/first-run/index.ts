export { acceptRisks } from './accept-risks.ts'
export { FirstRunView } from './FirstRunView.tsx'
export { RiskList } from './RiskList.tsx'
