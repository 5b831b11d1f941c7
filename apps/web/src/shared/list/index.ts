export { PagedList } from './PagedList.tsx'
export { RecordCounts } from './RecordCounts.tsx'
export { RecordLine } from './RecordLine.tsx'
