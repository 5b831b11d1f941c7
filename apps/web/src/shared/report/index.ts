export { reportViewError, watchErrors } from './watch-errors.ts'
