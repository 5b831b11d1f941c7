export { createPlanAnnouncements, type PlanAnnouncements } from './announcement.ts'
export {
  burnedOf,
  levelAt,
  type Plan,
  quotaAt,
  WHOLE_BASIS_POINTS,
} from './plan.ts'
export { createPlans, listVersions, type Plans } from './plans.ts'
export { preparePublication } from './publishing.ts'
export { mountPlan } from './routes.ts'
