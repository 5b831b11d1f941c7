/** What the development stack and the tests of other packages may use; everything else of the server is its own. */
export { migrate } from './platform/db/migrate.ts'
