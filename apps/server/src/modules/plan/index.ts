export { burnedOf, type Plan, type Plans, quotaAt, readPlans } from './plan.ts'
