/** The view is loaded when it is first opened. Most screens need only the newest notice. */
export const loadNoticeView = async () => (await import('./NoticeView.tsx')).NoticeView

export { NoticeBar } from './NoticeBar.tsx'
export { NoticeBell } from './NoticeBell.tsx'
export { unreadText } from './unread-text.ts'
export { useNewestNotice } from './use-notices.ts'
