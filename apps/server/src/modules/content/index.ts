export { type HelpArticle, type HelpFiles, importHelp, type PreparedHelp, prepareHelp } from './help.ts'
export { type PreparedNotice, prepareNotice } from './notices.ts'
export {
  compareHelp,
  type HelpChanges,
  listPublishedHelp,
  type PublishedArticle,
  readSignedHelp,
} from './published-help.ts'
export {
  findRepeatedNotices,
  listPublishedNotices,
  type PublishedNotice,
  type RepeatedNotices,
} from './published-notices.ts'
export { mountContent } from './routes.ts'
export { compareNotices, readNoticeTitle, readSignedNotice } from './signed-notice.ts'
