/** What the development stack and the tests of other packages may use; everything else of the server is its own. */
export { audit, post, sealAll, type Transaction } from './modules/ledger/index.ts'
export { createOperators } from './modules/operators/index.ts'
export { createPlans } from './modules/plan/index.ts'
export { closeDays, collectProduction } from './modules/pledge/index.ts'
export { teamFindings } from './modules/team/index.ts'
export { connectDatabase } from './platform/db/database.ts'
export { migrate } from './processes/migrate.ts'
