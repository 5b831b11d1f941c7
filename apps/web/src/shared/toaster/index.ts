export { Toaster } from './Toaster.tsx'
