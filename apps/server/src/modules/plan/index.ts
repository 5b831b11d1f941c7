export {
  burnedFee,
  levelAt,
  type Plan,
  quotaAt,
  WHOLE_BASIS_POINTS,
} from './plan.ts'
export { createPlanAnnouncements, type PlanAnnouncements } from './plan-announcements.ts'
export { createPlans, listVersions, type Plans } from './plans.ts'
export { preparePublication } from './publication.ts'
export { mountPlan } from './routes.ts'
