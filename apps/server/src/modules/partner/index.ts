export { createAppointmentAirdropCheck } from './airdrop-check.ts'
export { carryOutAppointment } from './carry-out-appointment.ts'
export { partnerFindings } from './check.ts'
export {
  type AppointmentProposal,
  proposeExpert,
  proposePartnerApproval,
  proposePartnerRejection,
} from './proposals.ts'
export {
  type ListedAppointment,
  listExperts,
  listPartners,
  listRefusedAppointments,
  listWaitingApplications,
  type RefusedAppointment,
} from './queries.ts'
export {
  collectPartnerReward,
  duePartnerRewardSql,
  payPartnerReward,
  preparePartnerDay,
  readPartnerReward,
} from './reward.ts'
export { mountPartner } from './routes.ts'
export { isAppointment } from './rules.ts'
