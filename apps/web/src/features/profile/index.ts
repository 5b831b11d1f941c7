export { ActivatedPill } from './ActivatedPill.tsx'
export { IdentityRows } from './IdentityRows.tsx'
export { SettingLink } from './SettingLink.tsx'
export { type Profile, useProfile } from './use-profile.ts'
