export { type CopyState, useCopy } from './use-copy.ts'
