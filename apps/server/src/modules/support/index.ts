export { lookFindings } from './check.ts'
export { lookUpMember } from './look-up-member.ts'
export type { MemberDocument } from './member-document.ts'
