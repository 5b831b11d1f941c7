export { LoginView } from './LoginView.tsx'
export { RegistView } from './RegistView.tsx'
