export { acceptRisks } from './accept-risks.ts'
export { FirstRunView } from './FirstRunView.tsx'
export { RiskList, risks } from './RiskList.tsx'
