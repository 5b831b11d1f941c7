export { RecordSheet } from './RecordSheet.tsx'
