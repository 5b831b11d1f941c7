export { RecordsView } from './RecordsView.tsx'
