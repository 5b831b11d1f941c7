export { PagedList } from './PagedList.tsx'
export { RecordLine } from './RecordLine.tsx'
