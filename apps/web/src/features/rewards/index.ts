export { RewardsView } from './RewardsView.tsx'
