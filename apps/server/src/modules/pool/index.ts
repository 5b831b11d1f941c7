export { describeProblems, listPublicProblems, type PoolHealth, readPoolHealth } from './pool-health.ts'
export { mountPool } from './routes.ts'
