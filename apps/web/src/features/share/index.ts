export { ShareView } from './ShareView.tsx'
