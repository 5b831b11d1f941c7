export { compareComingPlans, comparePlanFile, findReviewGaps, type PlanComparison } from './comparison.ts'
export { type Difference, listPlanValues } from './differences.ts'
export {
  burnedFee,
  levelAt,
  type Plan,
  quotaAt,
  WHOLE_BASIS_POINTS,
} from './plan.ts'
export { createPlanNoticeReader, type ReadPlanNotices } from './plan-notices.ts'
export { createPlans, listVersions, type Plans } from './plans.ts'
export { carryOutPublication, preparePublication } from './publication.ts'
export { mountPlan } from './routes.ts'
