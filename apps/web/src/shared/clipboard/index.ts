export { type Copying, useCopy } from './use-copy.ts'
