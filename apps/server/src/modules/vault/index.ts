export { type AdministrativeEvent, readAdministrativeEvents } from './administrative-events.ts'
export { announcementMeanings, readAnnouncedCall } from './announced-call.ts'
export type { Announcement } from './list-announcements.ts'
export {
  type AnnouncementReport,
  isOpen,
  readPublicAnnouncements,
  reportOpenAnnouncements,
} from './public-announcements.ts'
export { readAnnouncements, storeAdministrativeEvents } from './queries.ts'
