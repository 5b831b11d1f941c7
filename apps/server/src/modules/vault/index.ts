export { type AdministrativeEvent, readAdministrativeEvents } from './administrative-events.ts'
export { announcementMeanings } from './announced-call.ts'
export type { Announcement } from './announcement.ts'
export {
  type OpenAnnouncementsReport,
  readPublicAnnouncements,
  reportOpenAnnouncements,
} from './public-announcements.ts'
export {
  countOpenAnnouncements,
  readEndedAnnouncements,
  readOpenAnnouncements,
  storeAdministrativeEvents,
} from './queries.ts'
export { readVaultPause, type VaultPause } from './vault-pause.ts'
