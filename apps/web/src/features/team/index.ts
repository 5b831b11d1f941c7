export { NetView } from './NetView.tsx'
export { TeamView } from './TeamView.tsx'
