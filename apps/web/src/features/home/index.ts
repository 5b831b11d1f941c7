export { HomeView } from './HomeView.tsx'
