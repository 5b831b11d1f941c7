export { poolFindings } from './check.ts'
export { describeProblems, listPublicProblems, type PoolHealth, readPoolHealth } from './pool-health.ts'
export { mountPool } from './routes.ts'
export { addUpPoolChanges } from './totals.ts'
