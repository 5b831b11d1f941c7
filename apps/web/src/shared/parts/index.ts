export { lazyComponent } from './lazy-component.ts'
export { holdReloads, reloadOnce } from './reload-once.ts'
