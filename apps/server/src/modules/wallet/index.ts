export { mountWallet } from './routes.ts'
