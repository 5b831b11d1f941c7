export { NoticeBar } from './NoticeBar.tsx'
export { NoticeBell } from './NoticeBell.tsx'
export { NoticeView } from './NoticeView.tsx'
