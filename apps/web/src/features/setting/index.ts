export { SettingView } from './SettingView.tsx'
