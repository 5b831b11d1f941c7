export { DaoView } from './DaoView.tsx'
