export { PlanChanges } from './PlanChanges.tsx'
export { type Unit, valueText } from './value-text.ts'
