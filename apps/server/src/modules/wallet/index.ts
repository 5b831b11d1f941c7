export { readAssets, readPeriod, readStatement } from './queries.ts'
export { mountWallet } from './routes.ts'
export { computeValue, type Prices } from './rules.ts'
