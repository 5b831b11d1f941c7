export { lazyPart } from './lazy-part.ts'
export { reloadOnce } from './reload-once.ts'
