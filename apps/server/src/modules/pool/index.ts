export { mountPool } from './routes.ts'
