import { lazyComponent } from '../../shared/parts/index.ts'

export { ActivatedPill } from './ActivatedPill.tsx'
export { IdentityRows } from './IdentityRows.tsx'
export { SettingLink } from './SettingLink.tsx'
export { type Profile, useProfile } from './use-profile.ts'

/** Loaded only for disabled members. */
export const DisabledNote = lazyComponent(async () => (await import('./DisabledNote.tsx')).DisabledNote)
