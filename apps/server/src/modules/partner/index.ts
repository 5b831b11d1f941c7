export { carryOutAppointment } from './carry-out.ts'
export { partnerFindings } from './check.ts'
export {
  type ListedAppointment,
  listExperts,
  listPartners,
  type RefusedAppointment,
  refusedAppointments,
  waitingApplications,
} from './queries.ts'
export { type AppointmentQuestion, approvalQuestion, expertQuestion, rejectionQuestion } from './questions.ts'
export { collectPartnerReward, partnerDay, readPartnerReward } from './reward.ts'
export { mountPartner } from './routes.ts'
export { isAppointment } from './rules.ts'
