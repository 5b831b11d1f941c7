export { lazyComponent } from './lazy-component.ts'
export { reloadOnce } from './reload-once.ts'
